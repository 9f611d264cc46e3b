import NeuroViewsCrypto
import Testing

@Suite("Base32")
struct Base32Tests {
    @Test(
        "RFC 4648's examples of Base32 are encoded and decoded without padding",
        arguments: zip(
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
            ["", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"]
        )
    )
    func answers(bytes: String, text: String) {
        #expect(Base32.encode(Array(bytes.utf8)) == text)
        #expect(Base32.decode(text) == Array(bytes.utf8))
        #expect(Base32.decode(text.lowercased()) == Array(bytes.utf8))
    }

    @Test(
        "Base32 text that the encoder would not write is refused",
        arguments: ["A", "MZX", "MZXW6Y", "MZ", "MZXQ====", "MZXW1", "MZXW 6", "MZXW0", "MZXWé"]
    )
    func refused(text: String) {
        #expect(Base32.decode(text) == nil)
    }
}
