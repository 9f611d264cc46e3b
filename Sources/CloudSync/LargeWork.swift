import Net

/// Work that grows with what a client has sent or stored: parsing, validation, merging. A little is done at once. More waits for a thread of its
/// own, where accounts take turns, so that no request is held up by another account's.
public struct LargeWork: Sendable {
    /// Bytes that are worked through in less than 2 ms, whatever they are.
    static let smallBytes = 8 << 10
    /// Jobs that may wait. The memory for bodies holds no more of them.
    private static let waitingMax = 8192

    private let pool: BlockingPool

    /// Starts the threads. They give way to everything else on the machine.
    public init(threads: Int) throws(SystemError) {
        pool = try BlockingPool(threads: threads, queueMax: Self.waitingMax, nice: 10)
    }

    /// Does `work` that goes over `bytes` for an account. Throws `.overloaded`, and what `work` throws.
    public func run<T: Sendable>(
        over bytes: Int,
        for account: String,
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        guard bytes > Self.smallBytes else { return try work() }
        do {
            return try await pool.run(of: [account], work)
        } catch is BlockingPool.Full {
            throw CloudSyncError.overloaded
        }
    }

    /// Jobs that wait for a thread.
    public var waitingCount: Int { pool.waitingCount }

    /// Ends the threads. Blocks.
    public func stop() { pool.stop() }
}
