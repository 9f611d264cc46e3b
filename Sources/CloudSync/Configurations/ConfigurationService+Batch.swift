extension ConfigurationService {
    /// Writes several items with different ids in one transaction; an atomic batch is done completely or not at all.
    /// With a key, earlier writes of the same request return their first result; the others are judged again. Throws
    /// `.idempotencyKeyReused`.
    public func batch(
        _ operations: [ConfigurationOperation],
        isAtomic: Bool = false,
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> BatchReceipt {
        let (results, head) = try await writer.write(operations.map(\.write), isAtomic: isAtomic, key, for: caller)
        return BatchReceipt(results, isAtomic: isAtomic, head)
    }
}
