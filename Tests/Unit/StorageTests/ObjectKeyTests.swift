import Storage
import Testing

@Suite("Keys of objects")
struct ObjectKeyTests {
    @Test("Letters, digits, '-', '.', '_' and '/' between segments make a key")
    func valid() {
        for text in ["a", "a/b/c.mov", "3F-_.x", String(repeating: "k", count: 200)] {
            #expect(ObjectKey(text)?.description == text)
        }
    }

    @Test(
        "No other text is one",
        arguments: ["", "/a", "a/", "a//b", ".", "..", "a/../b", ".hidden", "a/.b", "a b", "a,b", "ä", "a%2f", "a\0"]
    )
    func invalid(_ text: String) { #expect(ObjectKey(text) == nil) }

    @Test("201 bytes are too long")
    func long() { #expect(ObjectKey(String(repeating: "k", count: 201)) == nil) }
}
