import Postgres

/// One version of an item, without its document.
package struct ConfigurationVersion: Sendable {
    /// The version's tag; its number counts the item's changes from 1.
    package let version: VersionTag
    /// The time when the server stored it, RFC 3339.
    package let changedAt: String
    /// The time of the edit, deletion or restore, RFC 3339.
    package let editedAt: String
    /// The device that wrote it.
    package let device: DeviceReference?
    /// True if the version is a deletion.
    package let isDeletion: Bool
    /// True if its document can be read. False for a deletion, and after retention emptied it.
    package let hasDocument: Bool
}

/// Reads the past of the caller's configurations.
package struct HistoryService: Sendable {
    let database: CallerDatabase

    /// The versions of a live or deleted item, newest first; `before` limits them to older versions. Throws `.notFound`
    /// for an item that never existed or belongs to another user.
    package func versions(
        of id: String,
        before: Int? = nil,
        limit: Int,
        for caller: Caller
    ) async throws -> Page<ConfigurationVersion> {
        let query = HistorySQL.versions(.text(caller.userID), .text(id), .int(before), .int(limit + 1))
        let found = try await database.read(for: caller, on: .large, query)
        if found.isEmpty { throw CloudSyncError.problem(.notFound) }
        return Page(found.compactMap { $0 }, limit: limit)
    }

    /// The document of a version. Throws `.notFound`, `.versionIsDeletion`, `.versionPruned`.
    package func version(_ version: Int, of id: String, for caller: Caller) async throws -> StoredConfiguration {
        let query = HistorySQL.version(.text(caller.userID), .text(id), .int(version))
        let found = try await database.readOne(for: caller, query)
        if found.isDeletion { throw CloudSyncError.problem(.versionIsDeletion) }
        guard let document = found.document else { throw CloudSyncError.problem(.versionPruned) }
        return StoredConfiguration(version: found.tag, document: document)
    }
}

extension ConfigurationVersion {
    /// Nil if the item has no such versions.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> ConfigurationVersion? {
        guard let version = try VersionTag.next(&columns) else {
            columns.skip()
            return nil
        }
        return ConfigurationVersion(
            version: version,
            changedAt: try columns.next(),
            editedAt: try columns.next(),
            device: try .next(&columns),
            isDeletion: try columns.next(),
            hasDocument: try columns.next()
        )
    }
}
