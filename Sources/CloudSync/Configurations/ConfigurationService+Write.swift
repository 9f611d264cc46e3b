import Postgres

/// What a write did, or did the first time.
public struct WriteReceipt: Sendable {
    /// The id in the spelling that the item was created with.
    public let id: String
    /// The version that the write made.
    public let version: Int
    /// When it was made, RFC 3339.
    public let changedAt: String
}

extension ConfigurationService {
    /// Stores a new item. The same document again gives the first answer again.
    /// Throws `.conflict` when the id is taken or was deleted.
    public func create(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> WriteReceipt {
        try await write(.create, document.id, document, conditions, caller)
    }

    /// Replaces an item. A document that the item has had gives that version's answer again, unless If-Match names the
    /// current version. Throws `.notFound`, `.idMismatch`, `.conflict`.
    public func update(
        _ id: String,
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> WriteReceipt {
        guard document.hasID(id) else { throw CloudSyncError.idMismatch }
        return try await write(.replace, document.id, document, conditions, caller)
    }

    /// Deletes an item; again gives the same answer. Throws `.notFound`, `.conflict`.
    public func delete(
        _ id: String,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> WriteReceipt {
        try await write(.delete, id, nil, conditions, caller)
    }

    private enum Kind: String { case create, replace, delete }

    private func write(
        _ kind: Kind,
        _ id: String,
        _ document: ConfigurationDocument?,
        _ conditions: WriteConditions,
        _ caller: Caller
    ) async throws -> WriteReceipt {
        let step = ConfigurationSQL.write(
            .text(id),
            .text(document?.spelledID ?? id),
            document.map { .utf8($0.prefix) } ?? .null,
            document.map { .utf8($0.suffix) } ?? .null,
            document.map { .bytes($0.digest) } ?? .null,
            .int(document?.modifiedAt.microseconds),
            .text(kind.rawValue),
            .bool(conditions.ifMatch != nil),
            .ints(conditions.ifMatch?.versions),
            .bool(conditions.ifMatch == .any),
            .ints(conditions.ifNoneMatch?.versions),
            .bool(conditions.ifNoneMatch == .any)
        )
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.write(
                [caller.enter, ConfigurationSQL.lockHead(), step],
                key: caller.userID,
                record: caller.record
            )
        }
        guard let row = rows[2].first else { throw CloudSyncError.notFound }
        return try Self.receipt(row)
    }

    private static func receipt(_ row: Row) throws -> WriteReceipt {
        func conflict(_ reason: ConfigurationConflict.Reason) -> CloudSyncError {
            .conflict(ConfigurationConflict(reason: reason, current: row.utf8(4), version: row.int(2)))
        }
        switch row.text(0) {
        case "accepted", "repeated":
            return WriteReceipt(id: row.text(1) ?? "", version: row.int(2) ?? 0, changedAt: row.text(3) ?? "")
        case "mismatch": throw conflict(.versionMismatch)
        case "exists": throw conflict(.exists)
        case "outdated": throw conflict(.editedLater)
        case "deleted": throw conflict(.deleted)
        default: throw CloudSyncError.notFound
        }
    }
}
