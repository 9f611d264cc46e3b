import Testing

@testable import CloudSync
@testable import Operations

@Suite("Operator figures as text", .blocking)
struct UsageReportTests {
    @Test(
        "Numbers of the usage report are printed with separators",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")]
    )
    func numbers(value: Int, text: String) { #expect(UsageTable.number(value) == text) }

    @Test(
        "Bytes of the usage report are printed with units",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1550, "1.6 kB"), (999_949, "999.9 kB"), (999_950, "1 MB"),
            (12_300_000_000, "12.3 GB"), (Int.max, "9.2 EB"),
        ]
    )
    func bytes(value: Int, text: String) { #expect(UsageTable.bytes(value) == text) }

    @Test(
        "Times of the usage report are printed with units",
        arguments: [
            (0, "0 s"), (12_500, "12.5 s"), (90_000, "1.5 min"), (5_400_000, "1.5 h"), (36_000_000_000, "10,000 h"),
        ]
    )
    func times(milliseconds: Int, text: String) { #expect(UsageTable.hours(milliseconds) == text) }

    @Test(
        "Bars of the usage report are proportional, and a nonzero value is visible",
        arguments: [(0, 0), (10, 24), (5, 12)]
    )
    func bars(value: Int, length: Int) {
        #expect(UsageText.bar(value, of: 10).count == length)
        #expect(UsageText.bar(1, of: 100_000) == "▏" && UsageText.bar(0, of: 0).isEmpty)
    }

    @Test("Names in the usage report have no control sequences of the terminal")
    func terminal() {
        #expect(UsageText.printable("a\u{1b}[31mb\n\u{202e}") == "a\\u{1b}[31mb\\u{a}\\u{202e}")
        #expect(UsageText.printable(String(repeating: "x", count: 41)) == String(repeating: "x", count: 39) + "…")
        #expect(UsageText.printable("Ünï 📷") == "Ünï 📷")
    }

    @Test("No crash reports are a sentence as text, and an empty array as JSON")
    func noCrashes() throws {
        let range = try #require(DateRange(CalendarDate(number: 0), CalendarDate(number: 1)))
        let list = CrashList(range: range, reports: [])
        #expect(list.text == "Crash reports from 1970-01-01 to 1970-01-02 (days of UTC)\n\nThere are none.\n")
        #expect(list.json.contains("\"reports\" : [],\n") && list.json.hasSuffix("\n}\n"))
    }

    @Test("Crash reports as JSON have no control characters of the terminal")
    func controls() throws {
        let range = try #require(DateRange(CalendarDate(number: 0), CalendarDate(number: 1)))
        let name = "a\u{9b}31m\u{7f}é"
        let report = CrashReport(day: "1970-01-01", name: name, parameters: "{}", json: #"{"name" : "\#(name)"}"#)
        let json = CrashList(range: range, reports: [report]).json
        #expect(json.contains(#"{"name" : "a\u009b31m\u007fé"}"#))
        #expect(!json.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
    }
}
