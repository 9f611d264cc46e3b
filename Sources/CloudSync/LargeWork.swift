import Net

/// Work that grows with what a client has sent or stored: parsing, validation, merging. A little is done at once. More waits for a thread of its
/// own, where accounts take turns, so that no request is held up by another account's.
public struct LargeWork: Sendable {
    /// Bytes that are worked through in less than 2 ms, whatever they are.
    static let smallBytes = 8 << 10
    /// Jobs that may wait.
    private static let waitingMax = 8192
    /// Bytes that jobs may go over, those that wait and those under way: of an account, and of all. What is stored counts nowhere else.
    private static let bytesMax = (account: 32 << 20, all: 128 << 20)

    private let pool: BlockingPool
    private let bytes = SharedBytes()

    /// Starts the threads. They give way to everything else on the machine.
    public init(threads: Int) throws(SystemError) {
        pool = try BlockingPool(threads: threads, queueMax: Self.waitingMax, nice: 5)
    }

    /// Does `work` that goes over `bytes` for an account; last of all when the client of `record` has gone by then. Throws `.overloaded`, and what
    /// `work` throws.
    public func run<T: Sendable>(
        over bytes: Int,
        for account: String,
        _ record: RequestRecord? = nil,
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        guard bytes > Self.smallBytes else { return try work() }
        guard self.bytes.reserve(bytes, for: account, max: Self.bytesMax) else { throw CloudSyncError.overloaded }
        defer { self.bytes.release(bytes, for: account) }
        do {
            let presence = record?.presence
            return try await pool.run(of: [account], isWanted: { presence?.isHere ?? true }, work)
        } catch is BlockingPool.Full {
            throw CloudSyncError.overloaded
        }
    }

    func run<T: Sendable>(
        over bytes: Int,
        for caller: Caller,
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await run(over: bytes, for: caller.userID, caller.record, work)
    }

    /// Jobs that wait for a thread.
    public var waitingCount: Int { pool.waitingCount }

    /// Ends the threads. Blocks.
    public func stop() { pool.stop() }
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
