import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("HMAC-SHA-256")
struct HMACTests {
    /// RFC 4231, cases 1 to 4, 6 and 7.
    @Test(
        "RFC 4231's examples of HMAC give its tags",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                ascending(1, 25), [UInt8](repeating: 0xcd, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array(
                    ("This is a test using a larger than block-size key and a larger than block-size data. "
                        + "The key needs to be hashed before being used by the HMAC algorithm.").utf8
                ),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ]
    )
    func knownAnswers(key: [UInt8], message: [UInt8], expected: String) {
        let mac = HMACSHA256(key: key)
        #expect(Hex.encode(mac.authenticate(message)) == expected)
        #expect(Hex.encode(mac.authenticate(message)) == expected, "a second use of the same key")
    }

    @Test("HMAC vectors of Wycheproof get its verdicts", .needsPublicVectors)
    func wycheproof() throws {
        var agreed = 0
        let vectors = try Wycheproof.tests("hmac_sha256_test.json")
        for (group, test) in vectors {
            let mac = HMACSHA256(key: try test.bytes("key"))
            let (message, tag) = (try test.bytes("msg"), try test.bytes("tag"))
            let tagBytes = try group.number("tagSize") / 8
            // The project's own check accepts only whole tags. A shortened tag is compared with the start of the whole
            // tag.
            let isValid =
                tagBytes == 32
                ? mac.isValid(tag, for: message)
                : constantTimeEquals(tag, Array(mac.authenticate(message).prefix(tagBytes)))
            let id = try test.number("tcId")
            let agrees = try isValid == (test.text("result") == "valid")
            #expect(agrees, "tcId \(id)")
            agreed += agrees ? 1 : 0
        }
        print("Wycheproof hmac_sha256: \(agreed) / \(vectors.count)")
        #expect(agreed == 174)
    }

    @Test("A shortened, lengthened or empty HMAC tag is refused")
    func tagLengths() {
        let mac = HMACSHA256(key: ascending(0, 31))
        let tag = mac.authenticate([1, 2, 3])
        #expect(mac.isValid(tag, for: [1, 2, 3]))
        #expect(!mac.isValid(tag, for: [1, 2]))
        for other in [[], Array(tag.prefix(16)), Array(tag.dropLast()), tag + [0]] {
            #expect(!mac.isValid(other, for: [1, 2, 3]))
        }
    }
}
