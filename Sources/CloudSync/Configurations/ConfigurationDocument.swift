import NeuroViewsJSON

/// A configuration that a client sent: valid by the schema, stored byte for byte.
package struct ConfigurationDocument: Sendable {
    /// The id in lower case, as in the database.
    let id: String
    /// The client's spelling of the id.
    let spelledID: String
    /// The text as received, and the digest of its canonical form with the id in lower case.
    let content: ItemContent
    /// `modified_at`: the time of the edit.
    let modifiedAt: Timestamp

    /// Takes a valid document: `text` as received, and its parsed `value`. Nil if it lacks a member that every
    /// configuration has.
    package init?(text: ArraySlice<UInt8>, value: JSONValue) {
        guard let object = value.object, let spelledID = object["id"]?.string,
            let modifiedAt = object["modified_at"]?.string.flatMap({ Timestamp($0) }),
            let content = ItemContent(text, object)
        else { return nil }
        self.spelledID = spelledID
        id = spelledID.lowercased()
        self.modifiedAt = modifiedAt
        self.content = content
    }

    /// Parses a stored document. Nil if it is no configuration.
    init?(stored text: [UInt8]) {
        guard let value = try? JSONParser.parse(text, policy: .rfc8259) else { return nil }
        self.init(text: text[...], value: value)
    }

    /// The parsed document, with its id in lower case. Parsed at each use: few writes need it, and it takes far more
    /// memory than the text.
    var members: JSONObject? {
        (try? JSONParser.parse(content.text(spelledID: id), policy: .rfc8259))?.object
    }

    /// Returns true if `other` is the document's id, in any spelling.
    func hasID(_ other: String) -> Bool { id == other.lowercased() }
}
