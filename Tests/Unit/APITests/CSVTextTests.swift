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
}
