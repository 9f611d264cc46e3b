extension ConfigurationService {
    /// Stores a new item. A retry returns the first response; with a key, it does so even after later writes. Fails
    /// with `.conflict` if the id is in use or was deleted, `.quotaExceeded`. Throws `.idempotencyKeyReused`.
    public func create(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        try await write(ItemWrite(.create, id: document.id, document, conditions), key, for: caller)
    }

    /// Replaces an item. A retry changes nothing. A document equal to the current one changes nothing either, unless
    /// If-Match names the current version. Fails with `.notFound`, `.conflict`, `.quotaExceeded`. Throws `.idMismatch`.
    public func update(
        _ id: String,
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        guard document.hasID(id) else { throw CloudSyncError.idMismatch }
        return try await write(ItemWrite(.replace, id: document.id, document, conditions), for: caller)
    }

    /// Deletes an item. A retry returns the same response. Fails with `.notFound`, `.conflict`.
    public func delete(
        _ id: String,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        try await write(ItemWrite(.delete, id: id, nil, conditions), for: caller)
    }

    /// Writes one item, as a batch of one.
    func write(
        _ write: ItemWrite,
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        let (results, head) = try await writer.write([write], isAtomic: false, key, for: caller)
        return Written(results[0], head)
    }

    /// Spends the nonce of a request that has nothing to write: a signed request is accepted once, whatever its
    /// response. Adds the head.
    func written<Value>(
        _ result: Result<Value, CloudSyncError>,
        for caller: Caller
    ) async throws -> Written<Value> {
        Written(result, try await database.write(for: caller, SyncSQL.configurations.head()).first)
    }
}
