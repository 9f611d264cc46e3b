import JSON

/// A configuration as a client sent it: valid by the schema, kept byte for byte.
public struct ConfigurationDocument: Sendable {
    /// The id in lower case, as the database knows it.
    let id: String
    /// The id as this client spells it.
    let spelledID: String
    /// The text as it arrived, and the digest of its canonical form, in which the id is in lower case.
    let content: ItemContent
    /// `modified_at`: when it was edited.
    let modifiedAt: Timestamp

    /// Takes a document that the schema accepts: `text` as it arrived and the same, parsed. Nil when it lacks what every
    /// configuration has.
    public init?(text: ArraySlice<UInt8>, value: JSONValue) {
        guard let object = value.object, let spelledID = object["id"]?.string,
            let modifiedAt = object["modified_at"]?.string.flatMap({ Timestamp($0) }),
            let content = ItemContent(text, object)
        else { return nil }
        self.spelledID = spelledID
        id = spelledID.lowercased()
        self.modifiedAt = modifiedAt
        self.content = content
    }

    /// Takes a document that was accepted before. Nil when it is none.
    init?(stored text: [UInt8]) {
        guard let value = try? JSONParser.parse(text, policy: .rfc8259) else { return nil }
        self.init(text: text[...], value: value)
    }

    /// The document, parsed, with its id in lower case. Parsed anew each time: few writes need it, and it takes far more memory than the text.
    var members: JSONObject? {
        (try? JSONParser.parse(content.text(spelledID: id), policy: .rfc8259))?.object
    }

    /// Whether the document is the one with that id, however spelled.
    func hasID(_ other: String) -> Bool { id == other.lowercased() }
}
