import Net
import Tracing

/// Work that grows with the size of client data: parsing, validation, merging, sums. Small work runs at once. Large work
/// waits for a thread, where accounts take turns, so that no account delays another's requests.
package struct LargeWork: Sendable {
    /// Any work on so many bytes takes less than 2 ms.
    static let smallBytes = 8 << 10
    /// Limit of waiting jobs.
    private static let waitingMax = 8192
    /// Limits of bytes that waiting and running jobs work on: for an account, and for all. Stored data are counted only
    /// here.
    private static let bytesMax = (account: 32 << 20, all: 128 << 20)

    private let pool: BlockingPool
    private let bytes = SharedBytes()

    /// Starts the threads, with low priority.
    package init(threads: Int) throws(SystemError) {
        pool = try BlockingPool(threads: threads, queueMax: Self.waitingMax, nice: 5)
    }

    /// Runs `work`, which processes `bytes` for an account. If the client of `record` is gone by then, the job waits
    /// until no other does. Throws `.overloaded`, and the errors of `work`.
    package func run<T: Sendable>(
        over bytes: Int,
        for account: String,
        _ record: RequestRecord? = nil,
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        guard bytes > Self.smallBytes else { return try work() }
        guard self.bytes.reserve(bytes, for: account, max: Self.bytesMax) else {
            throw CloudSyncError.problem(.overloaded)
        }
        defer { self.bytes.release(bytes, for: account) }
        do {
            let presence = record?.presence
            return try await pool.run(of: [account], isWanted: { presence?.isHere ?? true }, work)
        } catch is BlockingPool.Full {
            throw CloudSyncError.problem(.overloaded)
        }
    }

    func run<T: Sendable>(
        over bytes: Int,
        for caller: Caller,
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await run(over: bytes, for: caller.userID, caller.record, work)
    }

    /// The number of jobs that wait for a thread.
    package var waitingCount: Int { pool.waitingCount }

    /// Ends the threads. Blocks.
    package func stop() { pool.stop() }
}

/// Bytes that are in use, by account.
private final class SharedBytes: Sendable {
    private struct State {
        var all = 0
        var accounts: [String: Int] = [:]
    }

    private let state = Locked(State())

    func reserve(_ count: Int, for account: String, max: (account: Int, all: Int)) -> Bool {
        state.withLock { state in
            let own = state.accounts[account] ?? 0
            guard own + count <= max.account, state.all + count <= max.all else { return false }
            state.accounts[account] = own + count
            state.all += count
            return true
        }
    }

    func release(_ count: Int, for account: String) {
        state.withLock { state in
            let rest = (state.accounts[account] ?? count) - count
            state.accounts[account] = rest > 0 ? rest : nil
            state.all -= count
        }
    }
}
