import NeuroViewsCrypto
import Postgres

/// The current state of an item, for the verdict on a write: a row of `WriteSQL.items`.
struct StoredItem: Sendable {
    /// The id in the spelling of its creation.
    let spelledID: String
    let version: VersionTag
    /// Digest of the content; nil for a deleted item.
    let digest: [UInt8]?
    let changedAt: Timestamp
    let editedAt: Timestamp
    let isDeleted: Bool
    /// The author's newest version of the item, if the same request made it.
    let made: MadeVersion?
}

/// A version that a request made.
struct MadeVersion: Sendable {
    let version: VersionTag
    let changedAt: Timestamp
}

extension StoredItem {
    /// The item of a write.
    struct Numbered: Sendable {
        /// The write's position in the request, from 1.
        let number: Int
        let receivedAt: Timestamp
        /// The lineage at the time of the lock of the head.
        let lineage: Lineage
        /// Nil for an item that never existed.
        let item: StoredItem?

        init(_ columns: inout Columns) throws(UnexpectedResult) {
            number = try columns.next()
            receivedAt = try columns.next()
            lineage = Lineage(salt: try columns.next(), beganAt: try columns.next())
            item = try StoredItem.next(&columns)
        }
    }

    /// Nil for a row without an item.
    private static func next(_ columns: inout Columns) throws(UnexpectedResult) -> StoredItem? {
        guard let spelledID: String = try columns.next() else {
            columns.skip()
            return nil
        }
        return StoredItem(
            spelledID: spelledID,
            version: VersionTag(try columns.next(), try columns.next()),
            digest: (try columns.next() as Bytea?)?.bytes,
            changedAt: try columns.next(),
            editedAt: try columns.next(),
            isDeleted: try columns.next(),
            made: try MadeVersion.next(&columns)
        )
    }
}

extension MadeVersion {
    /// Nil for NULL.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> MadeVersion? {
        let (version, changedAt): (VersionTag?, Timestamp?) = (try .next(&columns), try columns.next())
        guard let version, let changedAt else { return nil }
        return MadeVersion(version: version, changedAt: changedAt)
    }
}

/// A `bytea`.
struct Bytea: ColumnValue {
    let bytes: [UInt8]

    /// Reads PostgreSQL's hexadecimal form.
    init?(_ row: Row, _ column: Int) {
        guard let text = row.utf8(column), text.count >= 2, text[0] == UInt8(ascii: "\\"), text[1] == UInt8(ascii: "x"),
            let bytes = Hex.decode(text[2...])
        else { return nil }
        self.bytes = bytes
    }
}

extension Timestamp: ColumnValue {
    /// Reads microseconds since the Unix epoch.
    package init?(_ row: Row, _ column: Int) {
        guard let microseconds = row.int(column) else { return nil }
        self.init(microseconds: microseconds)
    }

    /// The SQL of an expression that is read as a `Timestamp`.
    static func sql(_ expression: String) -> String { "(extract(epoch FROM \(expression)) * 1000000)::bigint" }
}
