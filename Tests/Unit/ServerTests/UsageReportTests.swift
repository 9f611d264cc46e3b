import Testing

@testable import Operations

@Suite("The operator's figures, as text", .blocking)
struct UsageReportTests {
    @Test(
        "Numbers have separators",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")]
    )
    func numbers(value: Int, text: String) { #expect(UsageTable.number(value) == text) }

    @Test(
        "Bytes have units",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1550, "1.6 kB"), (999_949, "999.9 kB"), (999_950, "1 MB"),
            (12_300_000_000, "12.3 GB"), (Int.max, "9.2 EB"),
        ]
    )
    func bytes(value: Int, text: String) { #expect(UsageTable.bytes(value) == text) }

    @Test(
        "Times have units",
        arguments: [
            (0, "0 s"), (12_500, "12.5 s"), (90_000, "1.5 min"), (5_400_000, "1.5 h"), (36_000_000_000, "10,000 h"),
        ]
    )
    func times(milliseconds: Int, text: String) { #expect(UsageTable.hours(milliseconds) == text) }

    @Test("Bars are as long as their share, and what is there is seen", arguments: [(0, 0), (10, 24), (5, 12)])
    func bars(value: Int, length: Int) {
        #expect(UsageText.bar(value, of: 10).count == length)
        #expect(UsageText.bar(1, of: 100_000) == "▏" && UsageText.bar(0, of: 0).isEmpty)
    }

    @Test("A terminal obeys no name")
    func terminal() {
        #expect(UsageText.printable("a\u{1b}[31mb\n\u{202e}") == "a\\u{1b}[31mb\\u{a}\\u{202e}")
        #expect(UsageText.printable(String(repeating: "x", count: 41)) == String(repeating: "x", count: 39) + "…")
        #expect(UsageText.printable("Ünï 📷") == "Ünï 📷")
    }

    @Test("A name is only text in a page")
    func page() {
        #expect(HTMLText.escaped("<script>\"'&\u{0}\u{202e}") == "&lt;script&gt;&quot;&#39;&amp;\\u{0}\\u{202e}")
    }

    @Test("A chart has a bar for each entry, also for none and for nothing")
    func chart() {
        let entries = (0..<366).map { UsageTable.Entry(name: "2026-01-\($0)", value: $0 * 1000, text: "<\($0)>") }
        let chart = BarChart.columns(UsageTable.List(title: "a<b", entries: entries), UsageTable.number)
        #expect(chart.split(separator: "<rect").count == 367)
        #expect(chart.contains("aria-label=\"a&lt;b\"") && !chart.contains("<365>") && !chart.contains("nan"))
        let nothing = BarChart.columns(UsageTable.List(title: "", entries: []), UsageTable.number)
        #expect(!nothing.contains("nan") && !nothing.contains("inf"))
        let zero = UsageTable.List(title: "", entries: [UsageTable.Entry(name: "", value: 0, text: "")])
        #expect(!BarChart.columns(zero, UsageTable.number).contains("nan") && !BarChart.rows(zero).contains("nan"))
    }
}
