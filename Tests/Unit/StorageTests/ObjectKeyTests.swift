import Storage
import Testing

@Suite("Keys of objects")
struct ObjectKeyTests {
    @Test("An object key has letters, digits, '-', '.', '_' and '/' between segments")
    func valid() {
        for text in ["a", "a/b/c.mov", "3F-_.x", String(repeating: "k", count: 200)] {
            #expect(ObjectKey(text)?.description == text)
        }
    }

    @Test(
        "Any other text is no object key",
        arguments: ["", "/a", "a/", "a//b", ".", "..", "a/../b", ".hidden", "a/.b", "a b", "a,b", "ä", "a%2f", "a\0"]
    )
    func invalid(_ text: String) { #expect(ObjectKey(text) == nil) }

    @Test("An object key of 201 bytes is refused")
    func long() { #expect(ObjectKey(String(repeating: "k", count: 201)) == nil) }
}
