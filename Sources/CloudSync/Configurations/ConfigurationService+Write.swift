extension ConfigurationService {
    /// Stores a new item. The same request again gives the first answer again; with a key, whatever was written since.
    /// Refused with `.conflict` when the id is taken or was deleted, `.quotaExceeded`. Throws `.idempotencyKeyReused`.
    public func create(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        try await write(ItemWrite(.create, id: document.id, document, conditions), key, for: caller)
    }

    /// Replaces an item. The same request again, and the document that is current already, change nothing, unless If-Match names the
    /// current version. Refused with `.notFound`, `.conflict`, `.quotaExceeded`. Throws `.idMismatch`.
    public func update(
        _ id: String,
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        guard document.hasID(id) else { throw CloudSyncError.idMismatch }
        return try await write(ItemWrite(.replace, id: document.id, document, conditions), for: caller)
    }

    /// Deletes an item; again gives the same answer. Refused with `.notFound`, `.conflict`.
    public func delete(
        _ id: String,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        try await write(ItemWrite(.delete, id: id, nil, conditions), for: caller)
    }

    /// One write: a batch of one.
    func write(
        _ write: ItemWrite,
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        let (results, head) = try await writer.write([write], isAtomic: false, key, for: caller)
        return Written(results[0], head)
    }

    /// Spends the nonce of a request that has nothing to write, since a signed one is taken once, however it is answered. Adds the head.
    func written<Value>(
        _ result: Result<Value, CloudSyncError>,
        for caller: Caller
    ) async throws -> Written<Value> {
        Written(result, try await database.write(for: caller, SyncSQL.configurations.head()).first)
    }
}
