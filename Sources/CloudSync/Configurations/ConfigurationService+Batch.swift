extension ConfigurationService {
    /// Writes several items, whose ids must differ, in one transaction and one round trip. An atomic batch is done as a whole or not
    /// at all. With a key, what the same request has written before is answered as the first time, and the rest is judged anew. Throws
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
