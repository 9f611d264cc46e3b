import Net

/// Threads for work on stored objects. Each error is reported and thrown.
struct StoragePool: Sendable {
    let threads: BlockingPool
    let report: @Sendable (StorageError) -> Void

    /// Runs blocking work on stored objects. Throws `StorageError.busy` if too many jobs wait, and errors of `work`.
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
