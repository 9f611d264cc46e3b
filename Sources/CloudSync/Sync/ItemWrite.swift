import Crypto
import JSON

/// The content of an item as a client sent it: the text before and after the id. The id keeps the spelling of the item's creation.
struct ItemContent: Sendable {
    let prefix: ArraySlice<UInt8>
    let suffix: ArraySlice<UInt8>
    /// SHA-256 over the canonical form: equal digests are equal documents.
    let digest: [UInt8]
    /// Its own member `preset`, if that is a string.
    let preset: String?

    /// Cuts the id out of a JSON text; `members` is the same, parsed. The digest covers the canonical form with the id in lower case. Returns nil
    /// without an id.
    init?(_ text: ArraySlice<UInt8>, _ members: JSONObject) {
        guard let id = members["id"]?.string, let range = JSONText.range(ofMember: "id", in: text) else { return nil }
        var members = members
        members.set("id", to: .string(id.lowercased()))
        // The quotes stay: the id between them is replaced by the item's own spelling.
        prefix = text[text.startIndex...range.lowerBound]
        suffix = text[(range.upperBound - 1)...]
        digest = SHA256.hash(JSONValue.object(members).canonical())
        preset = members["preset"]?.string
    }

    /// Of the text, but for the id.
    var byteCount: Int { prefix.count + suffix.count }

    /// The text as it is stored.
    func text(spelledID: String) -> [UInt8] { prefix + Array(spelledID.utf8) + suffix }
}

/// One write of one item: a request of its own, or an operation of a batch.
struct ItemWrite: Sendable {
    enum Kind: String, Sendable { case create, replace, delete }

    let kind: Kind
    /// In lower case.
    let id: String
    /// As this client spells it.
    let spelledID: String
    /// Nil for a deletion.
    let content: ItemContent?
    let conditions: WriteConditions
    /// Identifies retries of the request.
    let sent: SentDigest
    /// True when an upload holds the id though there is no item yet: a deletion then leaves a tombstone.
    var isReserved = false
    /// Time of the edit; nil means now.
    var editedAt: Timestamp?
    /// The document that was merged, if something of it was lost.
    var loser: ItemContent?
}
