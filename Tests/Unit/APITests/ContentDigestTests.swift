import NeuroViewsCrypto
import Testing

@testable import API

@Suite("The Content-Digest field")
struct ContentDigestTests {
    private static let digest = SHA256.hash(Array("a".utf8))
    private static let text = Base64.padded.encode(digest)

    @Test("The SHA-256 digest of a Content-Digest is found among others")
    func found() {
        #expect(ContentDigest.sha256(["sha-256=:\(Self.text):"]) == Self.digest)
        #expect(ContentDigest.sha256(["sha-512=:AAAA:, \tsha-256=:\(Self.text): "]) == Self.digest)
        #expect(ContentDigest.sha256(["sha-512=:AAAA:", "sha-256=:\(Self.text):"]) == Self.digest)
    }

    @Test(
        "A Content-Digest without exactly one valid SHA-256 digest is refused",
        arguments: [
            [], [""], [","], ["sha-256"], ["sha-256="], ["sha-256=:"], ["sha-256=::"], ["sha-256=:AAAA:"],
            ["sha-512=:\(text):"],
            ["sha-256=\(text)"], ["sha-256=:\(text)"], ["sha-256=:\(text.dropLast()):"], ["sha-256=:\(text): x"],
            ["sha-256=:\(text):, sha-256=:\(text):"], ["sha-256=:\(text):", "sha-256=1"], ["x-sha-256=:\(text):"],
            ["SHA-256=:\(text):"],
        ]
    )
    func none(lines: [String]) {
        #expect(ContentDigest.sha256(lines) == nil)
    }
}
