import NeuroViewsCrypto
import Testing

@Suite("Base64")
struct Base64Tests {
    /// RFC 4648 section 10, and the digits that differ between the alphabets.
    @Test(
        "Base64 is encoded and decoded in all three forms",
        arguments: [
            ([], "", "", ""),
            (Array("f".utf8), "Zg==", "Zg", "Zg"),
            (Array("fo".utf8), "Zm8=", "Zm8", "Zm8"),
            (Array("foo".utf8), "Zm9v", "Zm9v", "Zm9v"),
            (Array("foob".utf8), "Zm9vYg==", "Zm9vYg", "Zm9vYg"),
            (Array("fooba".utf8), "Zm9vYmE=", "Zm9vYmE", "Zm9vYmE"),
            (Array("foobar".utf8), "Zm9vYmFy", "Zm9vYmFy", "Zm9vYmFy"),
            ([0xfb, 0xff, 0xbf], "+/+/", "+/+/", "-_-_"),
            ([0xff], "/w==", "/w", "_w"),
            ([0, 0, 0, 0], "AAAAAA==", "AAAAAA", "AAAAAA"),
        ] as [([UInt8], String, String, String)]
    )
    func bothDirections(bytes: [UInt8], padded: String, unpadded: String, url: String) {
        for (form, text) in [(Base64.padded, padded), (.unpadded, unpadded), (.url, url)] {
            #expect(form.encode(bytes) == text)
            #expect(form.decode(text) == bytes)
        }
    }

    @Test(
        "Base64 text that the encoder would not write is refused",
        arguments: [
            (Base64.padded, "Zg"), (.padded, "Zg="), (.padded, "Zg==="), (.padded, "Zg==\n"), (.padded, " Zg=="),
            (.padded, "Z==="), (.padded, "===="), (.padded, "="), (.padded, "Zg==Zg=="), (.padded, "Zm9v===="),
            (.padded, "Zh=="), (.padded, "Zm9="), (.padded, "-_-_"), (.padded, "Zm 9v"), (.padded, "Zm9vZ"),
            (.padded, "Zm9\0"), (.padded, "Zm=v"), (.padded, "Zmé="), (.unpadded, "Zg=="), (.unpadded, "Z"),
            (.unpadded, "Zh"), (.unpadded, "Zm9"), (.unpadded, "-_-_"), (.unpadded, "Zm9vZ"), (.url, "Zg=="),
            (.url, "+/+/"), (.url, "_x"), (.url, "Zm9v."), (.url, "Zm9v "), (.url, "Zm9vA"), (.url, "_-9"),
        ]
    )
    func refused(form: Base64, text: String) {
        #expect(form.decode(text) == nil)
    }

    @Test("Every length and byte survives a round trip in Base64, and no group has two readings")
    func everything() {
        for count in 0...256 {
            let bytes = Array((0..<256).map(UInt8.init).suffix(count))
            for form in [Base64.padded, .unpadded, .url] { #expect(form.decode(form.encode(bytes)) == bytes) }
        }
        // All 256 * 256 texts of two characters: 256 of them are valid, each with one encoding only.
        var read: Set<[UInt8]> = []
        for first in ascending(0, 255) {
            for second in ascending(0, 255) {
                guard let bytes = Base64.url.decode([first, second]) else { continue }
                #expect(read.insert(bytes).inserted)
            }
        }
        #expect(read.count == 256)
    }

    @Test("Hexadecimal is lower case with two digits for each byte")
    func hexadecimal() {
        #expect(Hex.encode([]) == "")
        #expect(Hex.encode([0, 9, 10, 15, 16, 0xab, 0xff]) == "00090a0f10abff")
    }
}
