import Postgres

/// What else the verdict on a write needs when another version stands in its way: a row of `WriteSQL.contests`. It is read for few writes.
struct Contest: Sendable {
    /// Its place among the writes that were asked for, from 1.
    let number: Int
    /// The version that the same request has made in place of one that If-Match names.
    let made: MadeVersion?
    /// Whether the document that would lose is kept already.
    let isLoserKept: Bool
    /// The current document; nil for a deletion, and where it would be too much for one answer.
    let document: [UInt8]?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        number = try columns.next()
        made = try MadeVersion.next(&columns)
        isLoserKept = try columns.next()
        document = try columns.next()
    }

    /// Current documents in one answer, from which on conflicts come without them.
    static let documentsMaxBytes = 4 << 20

    /// Whether a write of that item needs one.
    static func isNeeded(for write: ItemWrite, _ stored: StoredItem?, receivedAt: Timestamp) -> Bool {
        guard let stored else { return false }
        // The same request may have replaced a version that If-Match names; what a merge loses may be kept already.
        if let tags = write.conditions.tags, !tags.contains(stored.version) { return true }
        if write.loser != nil { return true }
        let verdict = WriteVerdict(on: write, stored, made: stored.made, receivedAt: receivedAt)
        if case .conflict = verdict { return true }
        return false
    }
}
