import NeuroViewsClient
import TestSupport
import Testing

@testable import neuroviews

@Suite("The text in the editor", .blocking)
struct DraftTests {
    private static let original: JSONValue = [
        "id": "11111111-0000-4000-8000-000000000001", "name": "Harbour", "frame_rate": 24, "tags": ["a", "b"],
        "exposure_settings": ["iso": 400, "a/b~c": 1],
    ]

    static let edits: [(edited: JSONValue, pointers: [String])] = [
        (original, []),
        (
            [
                "id": "11111111-0000-4000-8000-000000000001", "name": "Pier", "frame_rate": 24.0, "tags": ["a", "b"],
                "exposure_settings": ["iso": 400, "a/b~c": 2],
            ], ["/name", "/exposure_settings/a~1b~0c"]
        ),
        (
            [
                "id": "11111111-0000-4000-8000-000000000001", "name": "Harbour", "frame_rate": 24, "tags": ["b"],
                "exposure_settings": ["iso": 400, "a/b~c": 1], "note": .null,
            ], ["/tags", "/note"]
        ),
    ]

    @Test("The deepest members that differ are noted, and an array is one value", arguments: edits)
    func changes(edited: JSONValue, pointers: [String]) {
        #expect(Assignment.between(Self.original, edited).map(\.pointer) == pointers)
    }

    @Test("A member that is missing is removed, and one whose kind changed is set whole")
    func removal() {
        let changes = Assignment.between(["a": ["b": 1], "c": ["d": 1]], ["c": 5])
        #expect(changes == [Assignment("/a", nil), Assignment("/c", 5)])
    }

    @Test("Remarks above the document are not read, and // in its texts is")
    func remarks() throws {
        let document = "{\n  \"url\": \"https://example.org\"\n}"
        #expect(Draft.document(in: Draft.text(document, complaints: ["/name is missing."])) == document)
        #expect(Draft.document(in: "\n// only remarks\n") == "")
        #expect(Draft.document(in: "// one\r\n// two\r\n{\r\n}") == "{\n}")
    }

    @Test("A document is judged by the schema, and the library's members can't be changed")
    func complaints() throws {
        let schema = #"{"properties": {"frame_rate": {"maximum": 240}}}"#
        let fast: JSONValue = ["id": "x", "frame_rate": 241]
        #expect(Draft.complaints(fast, of: ["id": "x"], schema: schema) == ["/frame_rate must be at most 240, is 241."])
        #expect(Draft.complaints(fast, of: ["id": "y"], schema: schema) == ["/id can't be changed here."])
        #expect(Draft.complaints(fast, of: ["id": "x"], schema: "no JSON") == [])
        #expect(Draft.complaints(fast, of: ["id": "x"], schema: nil) == [])
    }

    @Test("A text that is no JSON is refused with the line of the fault")
    func fault() throws {
        let fault = try #require(SchemaCheck.fault(ofText: "{\n  \"a\": 1,\n  \"b\" 2\n}"))
        #expect(fault == "Line 3 of the document: Expected a colon after the member name.")
        #expect(SchemaCheck.fault(ofText: "{\"a\": 1}") == nil)
    }

    @Test("JSON is printed with a line a member, and with escapes for what could disguise it")
    func pretty() throws {
        let value: JSONValue = ["name": "a\u{202E}b\u{7F}", "empty": [], "list": [1.50, ["x": true]]]
        let text = PrettyJSON.text(value)
        #expect(text.hasPrefix("{\n  \"name\": \"a\\u202eb\\u007f\",\n  \"empty\": [],\n  \"list\": [\n"))
        #expect(JSONValue(text: text) == value)
    }

    @Test("--set takes a pointer and JSON", arguments: ["/name=Harbour", "name=\"Harbour\"", "/name", "/name="])
    func wrongSet(text: String) {
        #expect(throws: Failure.self) { try Assignment(set: text) }
    }

    @Test("The value of --set may have = in it")
    func set() throws {
        #expect(try Assignment(set: #"/note="a=b""#) == Assignment("/note", "a=b"))
    }
}
