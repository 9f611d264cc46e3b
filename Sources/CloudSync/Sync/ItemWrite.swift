import Crypto
import JSON

/// What an item holds, as a client sent it: the text before and after the id, whose spelling is that of the item's creation.
struct ItemContent: Sendable {
    let prefix: ArraySlice<UInt8>
    let suffix: ArraySlice<UInt8>
    /// SHA-256 over the canonical form: equal digests are equal documents.
    let digest: [UInt8]
    /// Its own member `preset`, if that is a string.
    let preset: String?

    /// Cuts the id out of a JSON text whose members are given. The digest is of their canonical form with the id in lower case. Nil without
    /// an id.
    init?(_ text: ArraySlice<UInt8>, _ members: JSONObject) {
        guard let id = members["id"]?.string, let range = JSONText.range(ofMember: "id", in: text) else { return nil }
        var members = members
        members.set("id", to: .string(id.lowercased()))
        // The quotes stay outside: what stands between them is replaced by the spelling that the item was created with.
        prefix = text[text.startIndex...range.lowerBound]
        suffix = text[(range.upperBound - 1)...]
        digest = SHA256.hash(JSONValue.object(members).canonical())
        preset = members["preset"]?.string
    }

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
    /// Of the request, by which its retry is known.
    let sent: SentDigest
    /// Whether the id is taken though there is no item yet, as by an upload: its deletion leaves a tombstone.
    var isReserved = false
    /// When it was edited; nil for an edit of now.
    var editedAt: Timestamp?
    /// What a merge was made from, where something of it was lost.
    var loser: ItemContent?
}
