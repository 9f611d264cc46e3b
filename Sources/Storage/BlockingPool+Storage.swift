import Net

extension BlockingPool {
    /// Runs blocking work on stored objects. Throws `StorageError.busy` when too many jobs wait, and what `work` throws.
    func runStorage<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        do {
            return try await run(work)
        } catch is Full {
            throw StorageError.busy
        }
    }
}
