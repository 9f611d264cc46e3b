import Testing

@testable import API

@Suite("The parameter limit")
struct PageLimitTests {
    @Test(
        "A limit above the most is cut down to it, however large it is",
        arguments: [("1", 1), ("007", 7), ("1000", 1000), ("1001", 1000), ("99999999999999999999", 1000)]
    )
    func accepted(text: String, entries: Int) { #expect(PageLimit.entries(text) == entries) }

    @Test(
        "A limit below 1 and one that is no number are refused",
        arguments: ["", "0", "00", "-1", "+1", "1.0", "1e2", "0x1", " 1", "ten", "\u{FF11}"]
    )
    func refused(text: String) { #expect(PageLimit.entries(text) == nil) }
}
