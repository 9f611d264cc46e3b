import Net

/// Threads for work on stored objects. What fails is reported beside being thrown.
struct StoragePool: Sendable {
    let threads: BlockingPool
    let report: @Sendable (StorageError) -> Void

    /// Runs blocking work on stored objects. Throws `StorageError.busy` when too many jobs wait, and what `work` throws.
    func runStorage<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        do {
            return try await threads.run(work)
        } catch is BlockingPool.Full {
            report(.busy)
            throw StorageError.busy
        } catch let error as StorageError {
            report(error)
            throw error
        }
    }
}
