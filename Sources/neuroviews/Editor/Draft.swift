import NeuroViewsClient

/// The text in the editor: lines of remarks on top, and the document below them.
enum Draft {
    private static let mark = "//"
    private static let advice = [
        "Lines above the document that start with // are not read. An empty file changes nothing.",
        "id, created_at and modified_at are set by the device.",
    ]
    /// Members that the library sets.
    private static let ownMembers = ["id", "created_at", "modified_at"]

    static func text(_ document: String, complaints: [String] = []) -> String {
        (complaints + advice).map { "\(mark) \($0)\n" }.joined() + document
    }

    /// The document in the text, without the remarks; empty if there is none.
    static func document(in text: String) -> String {
        let rest = text.lines.drop { line in
            let start = line.drop(while: \.isWhitespace)
            return start.isEmpty || start.hasPrefix(mark)
        }
        return rest.joined(separator: "\n")
    }

    /// The faults of a document by the schema that the login fetched. Without a schema that can be read, the server alone judges.
    static func complaints(_ edited: JSONValue, of original: JSONValue, schema: String?) -> [String] {
        let changed = ownMembers.filter { edited[$0] != original[$0] }.map { "/\($0) can't be changed here." }
        guard changed.isEmpty, let schema else { return changed }
        return SchemaCheck.complaints(document: edited.text, schema: schema)
    }
}
