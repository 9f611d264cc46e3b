import Postgres

/// What a write did, or did the first time.
public struct WriteReceipt: Sendable {
    /// The id in the spelling that the item was created with.
    public let id: String
    /// The version that the write made.
    public let version: Int
    /// When it was made, RFC 3339.
    public let changedAt: String

    init(id: String, version: Int, changedAt: String) {
        self.id = id
        self.version = version
        self.changedAt = changedAt
    }

    /// Reads a `write_result`. Throws `.notFound`, `.conflict`, `.quotaExceeded` for a write that was refused, and
    /// `.idempotencyKeyReused`.
    init(_ row: Row, _ quotas: AccountQuotas) throws(CloudSyncError) {
        func conflict(_ reason: ConfigurationConflict.Reason) -> CloudSyncError {
            .conflict(ConfigurationConflict(reason: reason, current: row.utf8(4), version: row.int(2)))
        }
        switch row.text(0) {
        case "accepted", "repeated":
            id = row.text(1) ?? ""
            version = row.int(2) ?? 0
            changedAt = row.text(3) ?? ""
        case "mismatch": throw conflict(.versionMismatch)
        case "exists": throw conflict(.exists)
        case "outdated": throw conflict(.editedLater)
        case "deleted": throw conflict(.deleted)
        case "reused": throw .idempotencyKeyReused
        case "quota": throw .quotaExceeded(quotas.excess(row.text(5) ?? "", used: row.int(6) ?? 0))
        default: throw .notFound
        }
    }
}

extension ConfigurationService {
    /// Stores a new item. The same document again gives the first answer again.
    /// Throws `.conflict` when the id is taken or was deleted, `.quotaExceeded`.
    public func create(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> WriteReceipt {
        try await write(.create, document.id, document, conditions, caller)
    }

    /// Replaces an item. A document that the item has had gives that version's answer again, unless If-Match names the
    /// current version. Throws `.notFound`, `.idMismatch`, `.conflict`,
    /// `.quotaExceeded`.
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

    private func write(
        _ kind: ConfigurationWrite.Kind,
        _ id: String,
        _ document: ConfigurationDocument?,
        _ conditions: WriteConditions,
        _ caller: Caller
    ) async throws -> WriteReceipt {
        let write = ConfigurationWrite(kind, id: id, document, conditions)
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.write(
                [caller.enter, ConfigurationSQL.write(write.parameters + quotas.parameters)],
                key: caller.userID,
                record: caller.record
            )
        }
        guard let row = rows[1].first else { throw CloudSyncError.notFound }
        return try WriteReceipt(row, quotas)
    }
}
