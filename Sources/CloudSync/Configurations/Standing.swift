import JSON
import Postgres

/// A version of an item as the history has it.
struct StoredVersion: Sendable {
    let version: Int
    /// The JSON text; nil for a deletion, and where retention has emptied it.
    let text: [UInt8]?
    let editedAt: Timestamp
    /// RFC 3339.
    let changedAt: String
    let isDeleted: Bool

    init(_ row: Row) {
        version = row.int(0) ?? 0
        text = row.utf8(1)
        editedAt = Timestamp(microseconds: row.int(2) ?? 0)
        changedAt = row.text(3) ?? ""
        isDeleted = row.bool(4) ?? false
    }

    /// The document, parsed: it was accepted under a stricter policy.
    var value: JSONValue? { text.flatMap { try? JSONParser.parse($0, policy: .rfc8259) } }

    /// The refusal of a write that this version stands in the way of.
    func conflict(_ reason: ConfigurationConflict.Reason) -> CloudSyncError {
        .conflict(ConfigurationConflict(reason: reason, current: text, version: version))
    }
}

/// What a merge or a patch stands on.
struct Standing: Sendable {
    /// The item as it is.
    let current: StoredVersion
    /// The versions that were asked for, as far as they exist.
    let versions: [Int: StoredVersion]
    /// What the same request was put together with before.
    let merged: StoredVersion?
    /// Whether the item has had the document that was sent.
    let hasHadDocument: Bool
    /// The database's clock.
    let now: Timestamp

    /// Nil when there is no such item.
    init?(_ rows: Rows) {
        var current: StoredVersion?
        var (mergedVersion, hasHadDocument, now) = (0, false, 0)
        var versions: [Int: StoredVersion] = [:]
        for index in 0..<rows.count {
            let row = rows[index]
            let stored = StoredVersion(row)
            guard row.bool(5) ?? false else {
                versions[stored.version] = stored
                continue
            }
            current = stored
            (mergedVersion, hasHadDocument, now) = (row.int(6) ?? 0, row.bool(7) ?? false, row.int(8) ?? 0)
        }
        guard let current else { return nil }
        self.current = current
        self.versions = versions
        merged = versions[mergedVersion]
        self.hasHadDocument = hasHadDocument
        self.now = Timestamp(microseconds: now)
    }
}

/// What a request puts together with a stored version, as the database finds it again.
struct MergeKey: Sendable {
    /// The item's id.
    let id: String
    /// Of the canonical form of what was sent.
    let digest: [UInt8]
    /// The version that it was sent for; 0 for whatever stands there.
    let baseVersion: Int
}
