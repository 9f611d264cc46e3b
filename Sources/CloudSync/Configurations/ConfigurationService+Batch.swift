import Postgres

extension ConfigurationService {
    /// Writes several items, whose ids must differ, in one transaction and one round trip. An atomic batch is done as a whole
    /// or not at all. With a key, the same request again is answered as the first time. Throws `.idempotencyKeyReused`.
    public func batch(
        _ operations: [ConfigurationOperation],
        isAtomic: Bool = false,
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> BatchReceipt {
        let step = batchStep(operations.map(\.write), isAtomic: isAtomic, key)
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.write([caller.enter, step], key: caller.userID, record: caller.record)
        }
        if rows[1].first?.text(0) == "reused" { throw CloudSyncError.idempotencyKeyReused }
        let results = (0..<rows[1].count).map { index in
            Result { () throws(CloudSyncError) in try WriteReceipt(rows[1][index], quotas) }
        }
        // Nothing comes back where there is no such account any more.
        guard results.count == operations.count else { throw CloudSyncError.notFound }
        return BatchReceipt(results, isAtomic: isAtomic)
    }

    /// Stores a new item once for each key. Throws as `create` does, and `.idempotencyKeyReused`.
    public func create(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        _ key: IdempotencyKey?,
        for caller: Caller
    ) async throws -> WriteReceipt {
        guard let key else { return try await create(document, conditions, for: caller) }
        let receipt = try await batch([.create(document, conditions)], key, for: caller)
        return try receipt.results[0].get()
    }

    func batchStep(_ writes: [ConfigurationWrite], isAtomic: Bool, _ key: IdempotencyKey?) -> Step {
        let parameters = ConfigurationWrite.parameters(writes, isAtomic: isAtomic) + quotas.parameters
        guard let key else { return ConfigurationSQL.writeBatch(parameters) }
        return ConfigurationSQL.writeBatchOnce(
            [.text(key.text), .bytes(key.requestDigest), .int(idempotencyKeyLifetimeSeconds)] + parameters
        )
    }
}

extension ConfigurationWrite {
    /// What `write_configurations` takes: an array for each of `parameters`.
    static func parameters(_ writes: [ConfigurationWrite], isAtomic: Bool) -> [Parameter] {
        [
            .texts(writes.map(\.kind.rawValue)),
            .uuids(writes.map(\.id)),
            .texts(writes.map { $0.document?.spelledID ?? $0.id }),
            .array(of: .text, writes.map { $0.document?.prefix }),
            .array(of: .text, writes.map { $0.document?.suffix }),
            .array(of: .bytes, writes.map { $0.document?.digest[...] }),
            .integers(writes.map { $0.document?.modifiedAt.microseconds }),
            .texts(writes.map { $0.conditions.ifMatch?.sql }),
            .texts(writes.map { $0.conditions.ifNoneMatch?.sql }),
            .bool(isAtomic),
        ]
    }
}
