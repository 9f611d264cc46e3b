import NeuroViewsJSON
import Testing

@testable import CloudSync

@Suite("Documents made by the server")
struct DocumentRulesTests {
    @Test("A document that the server makes has as many values as a sent one, and no more", arguments: [0, 1])
    func values(more: Int) throws {
        let rules = try #require(DocumentRules.anything)
        let time = JSONValue.string("2026-01-01T10:00:00Z")
        let id = JSONValue.string(WriteRule.id)
        // The five values are the document, its id, its time, the list, and the body's envelope.
        let list = Array(repeating: JSONValue.null, count: 100_000 - 5 + more)
        let members = [("id", id), ("modified_at", time), ("x", .array(list))].map {
            JSONObject.Member(name: $0.0, value: $0.1)
        }
        let made = try? rules.document(.object(JSONObject(members)))
        #expect((made == nil) == (more > 0))
    }
}
