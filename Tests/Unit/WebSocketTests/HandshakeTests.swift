import Foundation
import Testing

@testable import NeuroViewsWebSocket

@Suite("The proof of a WebSocket's handshake")
struct HandshakeTests {
    @Test("The example of RFC 6455, 1.3 gets its answer")
    func example() {
        #expect(Handshake.accept(key: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(
        "A key that is not the Base64 of 16 bytes gets no answer",
        arguments: [
            "", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===",
            "dGhlIHNhbXBsZSBub25jZ===", "dGhlIHNhbXBsZSBub25jZQ== ", " GhlIHNhbXBsZSBub25jZQ==",
            "dGhlIHNhbXBsZSBub25j-_==", "dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZWFh", "dGhlIHNhbXBsZSBub25jé==",
        ]
    )
    func refused(key: String) {
        #expect(Handshake.accept(key: key) == nil)
    }

    @Test(
        "SHA-1 gives the digests of FIPS 180 and RFC 3174",
        arguments: [
            ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (
                "0123456701234567012345670123456701234567012345670123456701234567", 10,
                "dea356a2cddd90c7a7ecedc5ebb563934f460452"
            ),
        ] as [(String, Int, String)]
    )
    func digests(text: String, count: Int, digest: String) {
        let bytes = SHA1.digest(Array(String(repeating: text, count: count).utf8))
        #expect(bytes.map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test("Base64 of each length equals Foundation's", arguments: 0...7)
    func base64(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 250 &- $0 &* 37) }
        #expect(Base64Text.encode(bytes) == Data(bytes).base64EncodedString())
    }
}
