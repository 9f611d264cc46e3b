import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("HKDF-SHA-256")
struct HKDFTests {
    /// RFC 5869, appendix A.1 to A.3: the first 32 bytes of their output.
    @Test(
        "RFC 5869's examples of HKDF give its keys",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 22), ascending(0, 12), ascending(0xf0, 0xf9),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
            ),
            (
                ascending(0, 0x4f), ascending(0x60, 0xaf), ascending(0xb0, 0xff),
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
            ),
            (
                [UInt8](repeating: 0x0b, count: 22), [], [],
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
            ),
        ] as [([UInt8], [UInt8], [UInt8], String)]
    )
    func knownAnswers(master: [UInt8], salt: [UInt8], info: [UInt8], expected: String) {
        #expect(Hex.encode(HKDFSHA256(secret: master, salt: salt).key(info: info)) == expected)
    }

    @Test("HKDF vectors of Wycheproof begin with the key", .needsPublicVectors)
    func wycheproof() throws {
        var agreed = 0
        let vectors = try Wycheproof.tests("hkdf_sha256_test.json")
        // An invalid one asks for too long an output; it has none.
        for (_, test) in vectors where try test.text("result") == "valid" {
            let (master, salt, info) = (try test.bytes("ikm"), try test.bytes("salt"), try test.bytes("info"))
            let (id, output) = (try test.number("tcId"), try test.bytes("okm"))
            let key = HKDFSHA256(secret: master, salt: salt).key(info: info)
            let agrees = key.starts(with: output.prefix(key.count))
            #expect(agrees, "tcId \(id)")
            agreed += agrees ? 1 : 0
        }
        print("Wycheproof hkdf_sha256: \(agreed) / \(vectors.count)")
        #expect(agreed == 83)
    }
}
