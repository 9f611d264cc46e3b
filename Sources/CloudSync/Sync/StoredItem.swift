import Crypto
import Postgres

/// An item as it stands, for the verdict on a write of it: a row of `WriteSQL.items`.
struct StoredItem: Sendable {
    /// The id in the spelling of its creation.
    let spelledID: String
    let version: VersionTag
    /// Of the content; nil when it was deleted.
    let digest: [UInt8]?
    let changedAt: Timestamp
    let editedAt: Timestamp
    let isDeleted: Bool
    /// The newest version of the writer's, if the same request made it.
    let made: MadeVersion?
}

/// A version that a request has made.
struct MadeVersion: Sendable {
    let version: VersionTag
    let changedAt: Timestamp
}

extension StoredItem {
    /// The number of the write, counted from 1, the time at which it was received, and the item; nil for one that never was.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> (Int, Timestamp, StoredItem?) {
        let (number, receivedAt): (Int, Timestamp) = (try columns.next(), try columns.next())
        guard let spelledID: String = try columns.next() else {
            columns.skip()
            return (number, receivedAt, nil)
        }
        let item = StoredItem(
            spelledID: spelledID,
            version: VersionTag(try columns.next(), try columns.next()),
            digest: (try columns.next() as Bytea?)?.bytes,
            changedAt: try columns.next(),
            editedAt: try columns.next(),
            isDeleted: try columns.next(),
            made: try MadeVersion.next(&columns)
        )
        return (number, receivedAt, item)
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
        guard let text = row.utf8(column), text.starts(with: Array("\\x".utf8)), let bytes = Hex.decode(text.dropFirst(2)) else {
            return nil
        }
        self.bytes = bytes
    }
}

extension Timestamp: ColumnValue {
    /// Reads microseconds since the Unix epoch.
    public init?(_ row: Row, _ column: Int) {
        guard let microseconds = row.int(column) else { return nil }
        self.init(microseconds: microseconds)
    }

    /// The SQL for what is read as a time.
    static func sql(_ expression: String) -> String { "(extract(epoch FROM \(expression)) * 1000000)::bigint" }
}
