import HTTP
import NeuroViewsCrypto
import Testing
import Uploads

@Suite("Digest fields of uploads")
struct DigestFieldTests {
    private static let content = Array("{\"hello\": \"world\"}\n".utf8)
    // From RFC 9530, appendices B.1 and B.2.
    private static let sha256 = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
    private static let sha512 =
        "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:"

    @Test(
        "Streamed content is compared with every digest that the client promised",
        arguments: [
            ([sha256], 19, DigestVerdict.match), (["\(sha256), \(sha512)"], 19, .match),
            ([sha256, sha512], 19, .match),
            (["md5=:AAAA:, \(sha256);p=1"], 19, .match), ([sha256], 18, .mismatch), ([sha512], 18, .mismatch),
            (["\(sha256), sha-512=:\(String(repeating: "A", count: 86))==:"], 19, .mismatch),
            ([], 19, .unknown), (["md5=:AAAA:, unixsum=30637"], 19, .unknown), (["sha-256=\(sha256)"], 19, .unknown),
        ] as [([String], Int, DigestVerdict)]
    )
    func comparison(values: [String], bytes: Int, expected: DigestVerdict) throws {
        let head = try uploadHead("PUT", values.map { "Content-Digest: \($0)" })
        let promised = try DigestFields.read(DigestFields.content, from: head.headers)
        for piece in [1, 7, 19] {
            var check = DigestCheck(promised)
            for start in stride(from: 0, to: bytes, by: piece) {
                check.update(Array(Self.content[start..<min(bytes, start + piece)]).span)
                _ = check.verdict
            }
            #expect(check.verdict == expected)
        }
    }

    @Test(
        "An upload digest that its algorithm can't have is refused",
        arguments: ["sha-256=:AQI=:", "sha-512=1", "sha-256", "sha-512=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"]
    )
    func impossible(value: String) throws {
        let head = try uploadHead("PUT", ["Repr-Digest: \(value)"])
        #expect(throws: UploadRefusal.invalidDigest("Repr-Digest")) {
            try DigestFields.read(DigestFields.representation, from: head.headers)
        }
    }

    @Test("Upload digests are written as read, without those that RFC 9530 deprecates")
    func written() throws {
        let head = try uploadHead("PUT", ["Repr-Digest: \(Self.sha256), \(Self.sha512)"])
        let digests = try DigestFields.read(DigestFields.representation, from: head.headers)
        let sha1 = try #require(UploadDigest(.sha1, Array(repeating: 0, count: 20)))
        #expect(DigestFields.value(digests + [sha1]) == "\(Self.sha256), \(Self.sha512)")
        #expect(UploadDigest(.sha256, [1]) == nil)
    }

    @Test(
        "Upload-Checksum has an algorithm's name and Base64",
        arguments: [
            ("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "hello world", nil),
            ("sha256 uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=", "hello world", nil),
            ("sha1", "", .invalidField("Upload-Checksum")),
            ("sha1  Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "", .invalidField("Upload-Checksum")),
            ("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0", "", .invalidField("Upload-Checksum")),
            ("sha1 AQI=", "", .invalidField("Upload-Checksum")), ("md5 AQI=", "", .unsupportedChecksum),
            ("SHA1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "", .unsupportedChecksum), ("sha512 AQI=", "", .unsupportedChecksum),
        ] as [(String, String, UploadRefusal?)]
    )
    func checksums(value: String, content: String, refusal: UploadRefusal?) throws {
        let head = try uploadHead("PATCH", ["Upload-Checksum: \(value)"])
        do throws(UploadRefusal) {
            let digest = try DigestFields.readChecksum(from: head.headers)
            var check = DigestCheck([digest].compactMap(\.self))
            check.update(Array(content.utf8).span)
            #expect(refusal == nil && check.verdict == .match)
        } catch {
            #expect(error == refusal)
        }
    }
}
