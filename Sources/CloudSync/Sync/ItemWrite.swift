import NeuroViewsCrypto
import NeuroViewsJSON

/// An item's content as a client sent it: the text before and after the id. The id keeps the spelling of its creation.
struct ItemContent: Sendable {
    let prefix: ArraySlice<UInt8>
    let suffix: ArraySlice<UInt8>
    /// SHA-256 over the canonical form. Equal digests mean equal documents.
    let digest: [UInt8]
    /// The member `preset`, if it is a string.
    let preset: String?

    /// Cuts the id out of a JSON text; `members` is the parsed text. The digest covers the canonical form with the id
    /// in lower case. Nil without an id.
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

    /// Size of the text without the id.
    var byteCount: Int { prefix.count + suffix.count }

    /// The stored text.
    func text(spelledID: String) -> [UInt8] { prefix + Array(spelledID.utf8) + suffix }
}

/// One write of one item: a request of its own, or an operation of a batch.
struct ItemWrite: Sendable {
    enum Kind: String, Sendable { case create, replace, delete }

    let kind: Kind
    /// In lower case.
    let id: String
    /// The client's spelling.
    let spelledID: String
    /// Nil for a deletion.
    let content: ItemContent?
    let conditions: WriteConditions
    /// Identifies retries of the request.
    let sent: SentDigest
    /// True if an upload reserves the id and there is no item yet. A deletion then leaves a tombstone.
    var isReserved = false
    /// True for a patch whose outcome is the current document: if its conditions hold, nothing is written.
    var changesNothing = false
    /// Time of the edit; nil means now.
    var editedAt: Timestamp?
    /// The client's document with the time of its own edit, if a merge lost a value of it. It is stored as a conflict.
    var loser: (content: ItemContent, editedAt: Timestamp)?
}
