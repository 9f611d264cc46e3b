import NeuroViewsJSON
import NeuroViewsRules
import Testing

@testable import NeuroViewsClient

@Suite("The text of a refusal")
struct ProblemTextTests {
    /// A refusal with these violations.
    private static func text(_ detail: String, _ errors: [(String, String)]) -> String {
        let entries = errors.map { #"{"pointer":"\#($0.0)","detail":"\#($0.1)"}"# }.joined(separator: ",")
        let json = Given.json(#"{"title":"Invalid document","detail":"\#(detail)","errors":[\#(entries)]}"#)
        let members = json.object ?? JSONObject()
        return NeuroViewsClient.Problem(NeuroViewsRules.Problem(status: 400, members)).fullDescription
    }

    static let cases: [(detail: String, errors: [(String, String)], text: String)] = [
        (
            "/password must have at least 12 characters.", [("/password", "must have at least 12 characters")],
            "/password must have at least 12 characters."
        ),
        (
            "/a must be true. There are 2 violations.", [("/a", "must be true"), ("/b", "must be true")],
            "/a must be true. There are 2 violations. /b must be true."
        ),
        ("The body must be an object.", [("", "must be an object")], "The body must be an object."),
        ("end_date must be a day.", [("/end_date", "must be a day")], "end_date must be a day."),
        ("Send another one.", [("/a", "must be true")], "Send another one. /a must be true."),
    ]

    @Test("A refusal names each violation once")
    func violations() {
        for (detail, errors, text) in Self.cases {
            #expect(Self.text(detail, errors) == "Invalid document: \(text)")
        }
    }
}
