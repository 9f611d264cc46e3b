import NeuroViewsJSON
import NeuroViewsRules

/// An edit in two columns: its kind, and a document with its members as JSON, whose names may have any character.
extension Edit {
    /// The column `edit_kind` of an edit, and of none.
    static func kind(_ edit: Edit?) -> Int64 {
        switch edit {
        case nil: 0
        case .document: 1
        case .deletion: 2
        }
    }

    /// The column `edit`; nil for a deletion.
    var text: [UInt8]? {
        guard case .document(let document, let members) = self else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("document")
        writer.raw(document.text)
        writer.member("members")
        writer.raw(members.json.serialized())
        writer.endObject()
        return writer.bytes
    }

    /// Reads the columns; nil if they are none.
    init?(kind: Int64?, _ json: JSON?) {
        switch (kind, json) {
        case (1, .some(let json)):
            guard let document = Document(json["document"]),
                let members = json["members"].flatMap({ Members(json: $0) })
            else { return nil }
            self = .document(document, members)
        case (2, nil): self = .deletion
        default: return nil
        }
    }
}
