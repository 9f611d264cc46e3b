extension ConfigurationService {
    /// Stores a new item. A retry returns the first response; with a key, it does so even after later writes. Fails
    /// with `.conflict` if the id is in use or was deleted, `.quotaExceeded`. Throws `.idempotencyKeyReused`.
    package func create(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        try await writer.write(ItemWrite(.create, id: document.id, document, conditions), key, for: caller)
    }

    /// Replaces an item. A retry changes nothing. A document equal to the current one changes nothing either, unless
    /// If-Match names the current version. Fails with `.notFound`, `.conflict`, `.quotaExceeded`. Throws `.idMismatch`.
    package func update(
        _ id: String,
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        guard document.hasID(id) else { throw CloudSyncError.problem(.idMismatch) }
        return try await writer.write(ItemWrite(.replace, id: document.id, document, conditions), for: caller)
    }

    /// Deletes an item. A retry returns the same response. Fails with `.notFound`, `.conflict`.
    package func delete(
        _ id: String,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        try await writer.write(ItemWrite(.delete, id: id, nil, conditions), for: caller)
    }

    /// Writes several items with different ids in one transaction; an atomic batch is done completely or not at all.
    /// With a key, earlier writes of the same request return their first result; the others are judged again. Throws
    /// `.idempotencyKeyReused`.
    package func batch(
        _ operations: [ConfigurationOperation],
        isAtomic: Bool = false,
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> BatchReceipt {
        let (results, head) = try await writer.write(operations.map(\.write), isAtomic: isAtomic, key, for: caller)
        return BatchReceipt(results, isAtomic: isAtomic, head)
    }
}
