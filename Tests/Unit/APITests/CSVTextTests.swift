import Testing

@testable import API

struct CSVTextTests {
    @Test(
        "A CSV cell with a comma, a quote or a line break is quoted (RFC 4180)",
        arguments: [
            ("plain é", "plain é"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\r\nb", "\"a\r\nb\""),
            // Swift sees a quote with an accent as one character.
            ("x\"\u{301},=1", "\"x\"\"\u{301},=1\""), ("", ""),
        ]
    )
    func cells(value: String, written: String) {
        var table = CSVText(["h", "i"])
        table.add([value])
        #expect(table.bytes == Array("h,i\r\n\(written),\r\n".utf8))
    }

    @Test(
        "A CSV cell that a spreadsheet would run as a formula begins with an apostrophe",
        arguments: [
            ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+1", "'+1"), ("-1", "'-1"), ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), ("\r\n=1", "\"'\r\n=1\""), ("=A1,B1", "\"'=A1,B1\""),
            ("\u{FF1D}1", "'\u{FF1D}1"), ("=\u{301}1", "'=\u{301}1"), ("a=1", "a=1"), ("1-2", "1-2"),
        ]
    )
    func formulas(value: String, written: String) {
        var table = CSVText(["h", "i"])
        table.add([value])
        #expect(table.bytes == Array("h,i\r\n\(written),\r\n".utf8))
    }
}
