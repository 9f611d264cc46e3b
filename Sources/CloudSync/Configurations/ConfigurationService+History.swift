import Postgres

/// One version of an item, without its document.
public struct ConfigurationVersion: Sendable {
    /// Counts the item's changes from 1.
    public let version: Int
    /// When the server took it, RFC 3339.
    public let changedAt: String
    /// When it was edited, or deleted or restored, RFC 3339.
    public let editedAt: String
    /// Who wrote it.
    public let device: DeviceReference?
    /// Whether the version is a deletion.
    public let isDeletion: Bool
    /// Whether its document can be read: not that of a deletion, nor one that retention has emptied.
    public let hasDocument: Bool
}

/// The device that a session named when it logged in, as far as it is known today.
public struct DeviceReference: Sendable {
    /// The client's own name for it.
    public let id: String
    /// Its name for people; nil when it has none, or was removed.
    public let name: String?

    /// Reads id and name from two columns; nil without an id.
    init?(_ row: Row, at column: Int) {
        guard let id = row.text(column) else { return nil }
        self.id = id
        name = row.text(column + 1)
    }
}

/// A part of a list.
public struct Page<Item: Sendable>: Sendable {
    /// The entries, newest first.
    public let items: [Item]
    /// Whether there are older ones.
    public let hasMore: Bool
}

extension ConfigurationService {
    /// The versions of an item, live or deleted, newest first; `before` asks for older ones than that.
    /// Throws `.notFound` for an item that never was or is somebody else's.
    public func versions(
        _ id: String,
        before: Int? = nil,
        limit: Int,
        for caller: Caller
    ) async throws -> Page<ConfigurationVersion> {
        let step = HistorySQL.versions(.text(id), .int(before), .int(limit + 1))
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.enter, step, record: caller.record)
        }[1]
        guard let first = rows.first else { throw CloudSyncError.notFound }
        guard !first.isNull(0) else { return Page(items: [], hasMore: false) }
        return Page(
            items: (0..<min(rows.count, limit)).map { ConfigurationVersion(rows[$0]) },
            hasMore: rows.count > limit
        )
    }

    /// The document of a version. Throws `.notFound`, `.versionIsDeletion`, `.versionPruned`.
    public func version(_ version: Int, of id: String, for caller: Caller) async throws -> StoredConfiguration {
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.enter, HistorySQL.version(.text(id), .int(version)), record: caller.record)
        }
        guard let row = rows[1].first else { throw CloudSyncError.notFound }
        if row.bool(1) == true { throw CloudSyncError.versionIsDeletion }
        guard let document = row.utf8(0) else { throw CloudSyncError.versionPruned }
        return StoredConfiguration(version: version, document: document)
    }
}

extension ConfigurationVersion {
    fileprivate init(_ row: Row) {
        version = row.int(0) ?? 0
        changedAt = row.text(1) ?? ""
        editedAt = row.text(2) ?? ""
        device = DeviceReference(row, at: 3)
        isDeletion = row.bool(5) ?? false
        hasDocument = row.bool(6) ?? false
    }
}
