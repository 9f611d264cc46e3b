import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Request signatures")
struct RequestSignatureTests {
    static let key = ascending(0, 31)
    static let body = Array(#"{"name":"n"}"#.utf8)
    let mac = HMACSHA256(key: key)

    func request(
        _ version: RequestSignature.Version = .one,
        method: String = "POST",
        url: String = "https://api.example.org/v2/configurations?a=b%20c",
        timestamp: String = "1700000000",
        nonce: String = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
    ) throws -> RequestSignature {
        try #require(RequestSignature(version: version, method: method, url: url, timestamp: timestamp, nonce: nonce))
    }

    @Test("Signatures of both versions have the known lines and the known value")
    func knownAnswers() throws {
        let lines =
            "POST\nhttps://api.example.org/v2/configurations?a=b%20c\n1700000000\n6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        let one = try request()
        #expect(one.message == Array(lines.utf8))
        #expect(one.signature(key: mac) == "t+KGounlYaNp0LVaXbxUrtXo1yjYsxOTQHyGFmbW10g=")
        let digest = SHA256.hash(Self.body)
        let three = try request(.three(try #require(SignedFields([("If-Match", "*")])), bodyDigest: digest))
        #expect(three.message == Array((lines + "\n\n\n*\n\n\n\n" + Base64.padded.encode(digest)).utf8))
    }

    @Test("The openssl command computes the same request signature", arguments: [[], body])
    func openssl(body: [UInt8]) async throws {
        let digest = SHA256.hash(body)
        let fields = try #require(SignedFields([("If-Match", "*")]))
        for version in [RequestSignature.Version.one, .three(fields, bodyDigest: digest)] {
            let request = try request(version)
            let options = ["-sha256", "-mac", "HMAC", "-macopt", "hexkey:\(Hex.encode(Self.key))", "-binary"]
            let tag = try Self.openssl(["dgst"] + options, input: request.message)
            #expect(Base64.padded.encode(tag) == request.signature(key: mac))
        }
        #expect(try Self.openssl(["dgst", "-sha256", "-binary"], input: body) == SHA256.hash(body))
    }

    @Test("A request signature is valid for its own request only")
    func tampered() throws {
        let digest = SHA256.hash(Self.body)
        let fields = try #require(SignedFields([]))
        for version in [RequestSignature.Version.one, .three(fields, bodyDigest: digest)] {
            let original = try request(version)
            let signature = original.signature(key: mac)
            #expect(original.isValid(signature, key: mac))
            #expect(!original.isValid(signature, key: HMACSHA256(key: ascending(1, 32))))
            let others = [
                try request(version, method: "PUT"), try request(version, method: "post"),
                try request(version, url: "https://api.example.org/v2/configurations?a=b c"),
                try request(version, url: "http://api.example.org/v2/configurations?a=b%20c"),
                try request(version, timestamp: "1700000001"), try request(version, nonce: "6F9619FF"),
                try request(version == .one ? .three(fields, bodyDigest: digest) : .one),
                try request(.three(fields, bodyDigest: SHA256.hash([]))),
            ]
            for other in others { #expect(!other.isValid(signature, key: mac)) }
        }
    }

    @Test("A request signature has only one accepted spelling")
    func spellings() throws {
        let request = try request()
        let signature = Array(request.signature(key: mac).utf8)
        for index in signature.indices {
            for bit in 0..<8 {
                var other = signature
                other[index] ^= 1 << UInt8(bit)
                let isValid = request.isValid(other.span, key: mac)
                #expect(!isValid, "byte \(index), bit \(bit)")
            }
            let shorter = String(decoding: signature[..<index], as: UTF8.self)
            #expect(!request.isValid(shorter, key: mac))
        }
        let text = String(decoding: signature, as: UTF8.self)
        for other in [
            " " + text, text + " ", text + "\n", String(text.dropLast()), text + "=", "", Hex.encode(Self.key),
        ] {
            #expect(!request.isValid(other, key: mac))
        }
    }

    @Test("A request with an empty part or a line feed in one gives no message to sign")
    func ambiguous() {
        for place in 0..<4 {
            for part in ["", "\n", "a\nb", "a\n", "\r\n"] {
                var parts = ["GET", "https://h/", "1", "n"]
                parts[place] = part
                let request = RequestSignature(
                    version: .one,
                    method: parts[0],
                    url: parts[1],
                    timestamp: parts[2],
                    nonce: parts[3]
                )
                #expect(request == nil)
            }
        }
    }

    private static func openssl(_ arguments: [String], input: [UInt8]) throws -> [UInt8] {
        let program = try Program.run(["openssl"] + arguments, inputBytes: input)
        #expect(program.status == 0)
        return program.outputBytes
    }
}
