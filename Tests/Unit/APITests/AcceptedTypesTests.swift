import Testing

@testable import API

@Suite("The Accept field")
struct AcceptedTypesTests {
    @Test(
        "A client that prefers CSV to JSON gets a table",
        arguments: [
            (["text/csv"], true), (["TEXT/CSV;q=0.5"], true), (["text/csv, application/json;q=0.9"], true),
            (["text/csv", "*/*"], true), (["text/*"], true), (["text/csv;q=0.2, */*;q=0.1"], true),
            (["text/csv; header=present, application/json;q=0.1"], true), ([], false), (["*/*"], false),
            (["application/json"], false), (["application/json, text/csv"], false), (["text/csv;q=0"], false),
            (["text/csv;q=0, */*"], false), (["text/csv;q=x"], false), (["image/png"], false), ([",;="], false),
            (["text/csv;q=0.5, */*"], false), (["text/html, */*;q=0.8"], false),
        ]
    )
    func csv(lines: [String], isWanted: Bool) { #expect(AcceptedTypes(lines: lines).prefersCSV == isWanted) }

    @Test(
        "Seconds in a table of usage are written without superfluous digits",
        arguments: [(0, "0"), (1000, "1"), (1500, "1.5"), (12_345, "12.345"), (1, "0.001"), (60_010, "60.01")]
    )
    func seconds(milliseconds: Int, text: String) { #expect(SecondsText.of(milliseconds) == text) }
}
