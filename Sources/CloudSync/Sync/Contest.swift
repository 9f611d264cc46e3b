import Postgres

/// More data for the verdict on a write that another version blocks: a row of `WriteSQL.contests`. Few writes need it.
struct Contest: Sendable {
    /// The write's position among the writes of the query, from 1.
    let number: Int
    /// The version by which the same request already replaced a version in If-Match.
    let made: MadeVersion?
    /// True if the losing document is already stored.
    let isLoserKept: Bool
    /// The current document; nil for a deletion, and beyond `documentsMaxBytes`.
    let document: [UInt8]?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        number = try columns.next()
        made = try MadeVersion.next(&columns)
        isLoserKept = try columns.next()
        document = try columns.next()
    }

    /// The limit of current documents in one response, in bytes. Further conflicts have no document.
    static let documentsMaxBytes = 4 << 20

    /// Returns true if the verdict on that write needs a contest.
    static func isNeeded(for write: ItemWrite, _ stored: StoredItem?, receivedAt: Timestamp) -> Bool {
        guard let stored else { return false }
        // The same request may have replaced a version in If-Match; the loser of a merge may be stored already.
        if let tags = write.conditions.tags, !tags.contains(stored.version) { return true }
        if write.loser != nil { return true }
        let verdict = WriteVerdict(on: write, stored, made: stored.made, receivedAt: receivedAt)
        if case .conflict = verdict { return true }
        return false
    }
}
