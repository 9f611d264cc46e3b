import Net
import Tracing

/// One loop's connections to one database in one role. `PoolState` decides, this performs.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class Pool: @unchecked Sendable {
    struct Configuration: Sendable {
        var connectionString: String
        /// Statements that run on each new connection.
        var preparation: [String]
        var limits: PoolState.Limits
        /// The time limit for waiting for a connection.
        var waitMs: UInt64
        /// The time limit for one batch. After it PostgreSQL counts as gone.
        var batchTimeoutMs: UInt64
        var report: @Sendable (DatabaseEvent) -> Void
    }

    private let configuration: Configuration
    private let loop: EventLoop
    private let connector: BlockingPool
    private let canceller: BlockingPool
    private var state: PoolState
    private var connections: [PostgresConnection?]
    private var waiters: [Int: Waiter] = [:]
    private var nextWaiter = 0
    private var isClosed = false
    /// The reason for which the last try to connect failed; nil after a success.
    private var lastFailure: String?
    private var waits = DurationHistogram()
    private var roundTrips = DurationHistogram()
    private var failures: [DatabaseFailureKind: Int] = [:]

    private struct Waiter {
        let continuation: UnsafeContinuation<Result<Int, DatabaseError>, Never>
        var timer: LoopTimer?
    }

    init(_ configuration: Configuration, loop: EventLoop, connector: BlockingPool, canceller: BlockingPool) {
        self.configuration = configuration
        self.loop = loop
        self.connector = connector
        self.canceller = canceller
        state = PoolState(configuration.limits)
        connections = Array(repeating: nil, count: configuration.limits.connections)
    }

    /// Runs the steps as one transaction. Batches with the same `key` run one at a time, in order. Shares take turns; without a share, keys do.
    func run(
        _ steps: [Step],
        key: String? = nil,
        share: String? = nil,
        record: RequestRecord? = nil
    ) async throws(DatabaseError) -> [Rows] {
        try await withLease(key: key, share: share, record: record) { connection, times throws(DatabaseError) in
            try await send(steps, on: connection, record, &times)
        }
    }

    /// Runs `body` with a transaction of its own. Transactions with the same `key` run one at a time, in order.
    func transaction<T>(
        key: String,
        record: RequestRecord? = nil,
        _ body: (Transaction) async throws -> T
    ) async throws -> T {
        try await withConnection(key: key, record: record) { connection throws(DatabaseError) -> Result<T, any Error> in
            let transaction = Transaction(
                { [self] steps throws(DatabaseError) in
                    var times = BatchTimes()
                    return try await send(steps, on: connection, record, &times)
                },
                disconnect: { connection.close() }
            )
            let result: Result<T, any Error>
            do { result = .success(try await body(transaction)) } catch { result = .failure(error) }
            await transaction.end()
            if case .failure(let error as DatabaseError) = result { throw error }
            return result
        }.get()
    }

    /// Lends a connection to `body`. All the time that it has the connection counts, since others wait meanwhile.
    func withConnection<T>(
        key: String? = nil,
        record: RequestRecord? = nil,
        _ body: (PostgresConnection) async throws(DatabaseError) -> T
    ) async throws(DatabaseError) -> T {
        try await withLease(key: key, share: nil, record: record) { connection, times throws(DatabaseError) in
            let startedNs = Monotonic.nowNs()
            defer { times.ownNs = Monotonic.nowNs() - startedNs }
            return try await body(connection)
        }
    }

    private func withLease<T>(
        key: String?,
        share: String?,
        record: RequestRecord?,
        _ body: (PostgresConnection, inout BatchTimes) async throws(DatabaseError) -> T
    ) async throws(DatabaseError) -> T {
        var times = BatchTimes()
        defer { waits.add(times.waitNs) }
        do throws(DatabaseError) {
            let (slot, id) = try await lease(key, share, record, &times)
            defer { perform(state.release(slot: slot, waiter: id, key: key, costNs: times.costNs)) }
            guard let connection = connections[slot] else { throw .unavailable("the connection was lost") }
            return try await body(connection, &times)
        } catch {
            failures[DatabaseFailureKind(error), default: 0] += 1
            throw error
        }
    }

    /// The figures of this pool.
    func statistics(_ name: String) -> PoolStatistics {
        var statistics = PoolStatistics(name)
        (statistics.idle, statistics.busy, statistics.connecting) = state.connectionCounts
        statistics.waiting = state.waiting
        statistics.waits = waits
        statistics.roundTrips = roundTrips
        statistics.failures = failures
        return statistics
    }

    /// Closes every connection. Later requests are rejected.
    func close() {
        isClosed = true
        perform(state.close())
        for connection in connections { connection?.close() }
    }
}

extension Pool {
    private func lease(
        _ key: String?,
        _ share: String?,
        _ record: RequestRecord?,
        _ times: inout BatchTimes
    ) async throws(DatabaseError) -> (slot: Int, id: Int) {
        let startedNs = Monotonic.nowNs()
        let id = nextWaiter
        nextWaiter += 1
        let leased = await acquire(id, key, share)
        let waitNs = Monotonic.nowNs() - startedNs
        times.waitNs += waitNs
        record?.times.databaseWaitNs += waitNs
        return (try leased.get(), id)
    }

    /// The wait behind earlier batches on the connection is a part of the wait, not of the round trip.
    private func send(
        _ steps: [Step],
        on connection: PostgresConnection,
        _ record: RequestRecord?,
        _ times: inout BatchTimes
    ) async throws(DatabaseError) -> [Rows] {
        var batch = BatchTimes()
        defer {
            times.add(batch)
            roundTrips.add(batch.ownNs)
            if batch.waitNs > 0 { record?.times.databaseWaitNs += batch.waitNs }
            record?.times.databaseNs += batch.ownNs
            record?.databaseRoundTrips += 1
        }
        return try await connection.run(steps, &batch)
    }

    private func acquire(_ id: Int, _ key: String?, _ share: String?) async -> Result<Int, DatabaseError> {
        if isClosed { return .failure(.unavailable(PoolState.Refusal.closed.reason)) }
        if key == nil, let slot = state.acquireAtOnce(id, share: share ?? "") { return .success(slot) }
        return await withUnsafeContinuation { continuation in
            waiters[id] = Waiter(continuation: continuation)
            perform(state.acquire(id, key: key, share: share))
            if waiters[id] != nil { startWaiting(id) }
        }
    }

    private func startWaiting(_ id: Int) {
        let timer = LoopTimer { [weak self] in
            guard let self else { return }
            perform(state.timedOut(id))
        }
        waiters[id]?.timer = timer
        loop.schedule(timer, atMs: loop.nowMs + configuration.waitMs)
    }

    private func perform(_ actions: [PoolState.Action]) {
        for action in actions {
            switch action {
            case .connect(let slot): connect(slot)
            case .connectLater(let slot, let afterMs): connectLater(slot, afterMs: afterMs)
            case .lease(let slot, let waiter): resume(waiter, .success(slot))
            case .refuse(let waiter, let refusal): resume(waiter, .failure(.unavailable(refusal.reason)))
            }
        }
    }

    private func resume(_ id: Int, _ result: Result<Int, DatabaseError>) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        if let timer = waiter.timer { loop.cancel(timer) }
        waiter.continuation.resume(returning: result)
    }

    private func connectLater(_ slot: Int, afterMs: UInt64) {
        connections[slot] = nil
        loop.schedule(LoopTimer { [weak self] in self?.connect(slot) }, atMs: loop.nowMs + afterMs)
    }

    private func connect(_ slot: Int) {
        guard !isClosed else { return }
        loop.spawn { [self] in
            do {
                try await open(slot)
                lastFailure = nil
                perform(state.connected(slot: slot))
            } catch {
                report(connectFailure: "\(error)")
                perform(state.connectFailed(slot: slot))
            }
        }
    }

    private func report(connectFailure reason: String) {
        if isClosed { return }
        configuration.report(.connectFailed(reason, isNew: reason != lastFailure))
        lastFailure = reason
    }

    private func open(_ slot: Int) async throws {
        let handle = try await connector.run { [configuration] in
            try ConnectedHandle.connect(configuration.connectionString, preparation: configuration.preparation)
        }
        let connection = try PostgresConnection(
            handle,
            loop: loop,
            batchTimeoutMs: configuration.batchTimeoutMs,
            onOverdue: { [weak self] in self?.perform($0) },
            onLoss: { [weak self] reason in
                guard let self else { return }
                // That we close it ourselves is no news.
                if !isClosed { configuration.report(.connectionLost(reason)) }
                perform(state.connectionLost(slot: slot))
            }
        )
        connections[slot] = connection
        if let change = handle.lineageChange { configuration.report(.lineageChanged(change)) }
        if isClosed { connection.close() }
    }
}

extension Pool {
    /// Without a place in the queue it is left out: PostgreSQL is then out of reach.
    private func perform(_ cancellation: Cancellation) {
        loop.spawn { [canceller] in try? await canceller.run { cancellation.perform() } }
    }
}

extension PoolState.Refusal {
    fileprivate var reason: String {
        switch self {
        case .queueFull: "too many requests wait for the database"
        case .databaseAway: "the database can't be reached"
        case .timedOut: "no database connection became free in time"
        case .closed: "shutting down"
        }
    }
}

/// Events of connections, for logs and metrics.
public enum DatabaseEvent: Sendable {
    /// A new connection failed, with the reason. It is new if the pool's try before did not fail for it.
    case connectFailed(String, isNew: Bool)
    /// An open connection broke, with the reason.
    case connectionLost(String)
    /// This connection found another lineage than the stored one, and stored it: both, in words.
    case lineageChanged(String)
    /// A statement failed that no response depends on; nobody else sees its error.
    case failedAside(purpose: String, reason: String)
}
