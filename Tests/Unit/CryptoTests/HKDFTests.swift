import Crypto
import TestSupport
import Testing

@Suite("HKDF-SHA-256")
struct HKDFTests {
    /// RFC 5869, appendix A.1 to A.3.
    @Test(
        "RFC 5869's examples of HKDF give its keys",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 22), ascending(0, 12), ascending(0xf0, 0xf9),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                ascending(0, 0x4f), ascending(0x60, 0xaf), ascending(0xb0, 0xff),
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                    + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                    + "cc30c58179ec3e87c14c01d5c1f3434f1d87"
            ),
            (
                [UInt8](repeating: 0x0b, count: 22), [], [],
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ] as [([UInt8], [UInt8], [UInt8], String)]
    )
    func knownAnswers(master: [UInt8], salt: [UInt8], info: [UInt8], expected: String) throws {
        let output = try HKDFSHA256(secret: master, salt: salt).expand(info: info, count: expected.utf8.count / 2)
        #expect(Hex.encode(output) == expected)
    }

    @Test("HKDF vectors of Wycheproof get its verdicts", .needsPublicVectors)
    func wycheproof() throws {
        var agreed = 0
        let vectors = try Wycheproof.tests("hkdf_sha256_test.json")
        for (_, test) in vectors {
            let (master, salt, info) = (try test.bytes("ikm"), try test.bytes("salt"), try test.bytes("info"))
            let (id, count) = (try test.number("tcId"), try test.number("size"))
            let output = try? HKDFSHA256(secret: master, salt: salt).expand(info: info, count: count)
            let expected = try test.text("result") == "valid" ? test.bytes("okm") : nil
            #expect(output == expected, "tcId \(id)")
            agreed += output == expected ? 1 : 0
        }
        print("Wycheproof hkdf_sha256: \(agreed) / \(vectors.count)")
        #expect(agreed == 86)
    }

    @Test("HKDF expands up to 8160 bytes, and a key is the first 32")
    func limits() throws {
        let hkdf = HKDFSHA256(secret: ascending(0, 31), salt: [])
        let longest = try hkdf.expand(info: [7], count: 8160)
        #expect(longest.count == 8160)
        #expect(hkdf.key(info: [7]) == Array(longest.prefix(32)))
        for count in [-1, 0, 8161] {
            #expect(throws: CryptoError.outputCount(count)) { try hkdf.expand(info: [7], count: count) }
        }
    }
}
