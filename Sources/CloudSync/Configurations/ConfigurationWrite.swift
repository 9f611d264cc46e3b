import Postgres

/// One write of one item: a request of its own, or an operation of a batch.
struct ConfigurationWrite: Sendable {
    /// The enum `write_kind`.
    enum Kind: String, Sendable, CaseIterable { case create, replace, delete }

    let kind: Kind
    /// In lower case.
    let id: String
    /// Nil for a deletion.
    let document: ConfigurationDocument?
    let conditions: WriteConditions
    /// Of the request, by which its retry is known.
    let sent: SentDigest
    /// When it was edited; nil for an edit of now.
    var editedAt: Timestamp?
    /// The document that a merge was made from, where something of it was lost.
    var loser: ConfigurationDocument?

    /// A write of what was sent.
    init(
        _ kind: Kind,
        id: String,
        _ document: ConfigurationDocument?,
        _ conditions: WriteConditions,
        merges: Bool = false
    ) {
        let sent = SentDigest(kind.rawValue, merges: merges, document?.digest ?? [])
        self.init(kind, id: id, document, conditions, sent)
    }

    /// A write of what was made of what was sent.
    init(
        _ kind: Kind,
        id: String,
        _ document: ConfigurationDocument?,
        _ conditions: WriteConditions,
        _ sent: SentDigest
    ) {
        self.kind = kind
        self.id = id.lowercased()
        self.document = document
        self.conditions = conditions
        self.sent = sent
        editedAt = document?.modifiedAt
    }

    /// What `write_configurations` takes: an array for each part of a write.
    static func parameters(_ writes: [ConfigurationWrite]) -> [Parameter] {
        [
            .texts(writes.map(\.kind.rawValue)),
            .uuids(writes.map(\.id)),
            .texts(writes.map { $0.document?.spelledID ?? $0.id }),
            .array(of: .text, writes.map { $0.document?.prefix }),
            .array(of: .text, writes.map { $0.document?.suffix }),
            .array(of: .bytes, writes.map { $0.document?.digest[...] }),
            .array(of: .bytes, writes.map { $0.sent.bytes[...] }),
            .integers(writes.map { $0.editedAt?.microseconds }),
            .texts(writes.map { $0.conditions.ifMatch?.sql }),
            .texts(writes.map { $0.conditions.ifNoneMatch?.sql }),
            .array(of: .bytes, writes.map { $0.loser?.digest[...] }),
            .array(of: .text, writes.map { $0.loser?.prefix }),
            .array(of: .text, writes.map { $0.loser?.suffix }),
        ]
    }
}
