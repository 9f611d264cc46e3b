import Net
import Synchronization
import Tracing

/// What a statement may do: the roles of the database's own access rules (see Migrations/roles.sql).
public enum DatabaseRole: String, Sendable, CaseIterable {
    /// Requests of a user; row-level security shows that user's rows only.
    case application = "neuroviews_app"
    /// Work for no user or before one is known: login, sweeps.
    case background = "neuroviews_background"

    /// The role that owns the tables, for migrations and operators' commands. No pool has it.
    public static let ownerName = "neuroviews_owner"
}

/// The connections that a read uses.
public enum ReadLane: Sendable {
    /// Reads that PostgreSQL answers within a few milliseconds, whatever an account stores.
    case small
    /// Reads that grow with the stored data. A small one never waits for them.
    case large
}

/// The database as the services see it: batches of statements that run on the calling task's loop.
public final class Database: Sendable {
    /// Bounds and addresses.
    public struct Configuration: Sendable {
        /// A libpq URI or conninfo string of the login for `DatabaseRole.application`.
        public var connectionString: String
        /// The same for `DatabaseRole.background`. One login may serve for both: it is then a member of both roles.
        public var backgroundConnectionString: String
        /// Connections for writes on each loop.
        public var writersPerLoop = 8
        /// Connections that carry small reads, pipelined, on each loop.
        public var readersPerLoop = 2
        /// The same for large reads.
        public var largeReadersPerLoop = 1
        /// Connections for work without a user, on each loop.
        public var backgroundsPerLoop = 2
        /// Reads under way on one connection.
        public var readsPerConnection = 64
        /// Requests that may wait for a connection, for each loop and kind.
        public var waitersMax = 1024
        /// How long a request may wait for a connection.
        public var waitMs: UInt64 = 5000
        /// PostgreSQL's `statement_timeout`. A statement could change it, so this process cancels a batch that takes 2 s longer.
        public var statementTimeoutMs: UInt64 = 8000
        /// Told what happens to connections.
        public var report: @Sendable (DatabaseEvent) -> Void = { _ in }

        /// Defaults for a database at that address.
        public init(connectionString: String) {
            self.connectionString = connectionString
            backgroundConnectionString = connectionString
        }
    }

    private enum Kind: String, CaseIterable {
        case read
        case largeRead = "large_read"
        case write, background
    }

    private struct Pools: Sendable {
        let loop: EventLoop
        let read: Pool
        let largeRead: Pool
        let write: Pool
        let background: Pool

        subscript(kind: Kind) -> Pool {
            switch kind {
            case .read: read
            case .largeRead: largeRead
            case .write: write
            case .background: background
            }
        }
    }

    private let reportEvent: @Sendable (DatabaseEvent) -> Void
    private let pools: [Pools]
    private let closing = Atomic(false)
    /// One connection on the first loop. No other work can keep it busy.
    private let probing: Pool
    /// Another one for the login of requests; nil if one login serves for both roles.
    private let requestProbing: Pool?
    private static let answer = Statement("SELECT 1")
    private let connector: BlockingPool
    private let canceller: BlockingPool
    /// The expected time of all batches on a connection. Large reads have one connection on each loop, so those whose turn is next can't pass on another.
    private static let loadMaxNs: (usual: UInt64, largeReads: UInt64) = (5_000_000, 1_000_000)
    /// Connections that are opened at once, as after a failover.
    private static let connectorsMax = 8
    /// Cancellations that wait for PostgreSQL. It may be out of reach, and then there is nothing to cancel.
    private static let cancellationsMax = 64

    /// Makes the pools; connections are opened when they are first needed.
    public init(_ configuration: Configuration, loops: [EventLoop]) throws(SystemError) {
        reportEvent = configuration.report
        let connector = try BlockingPool(threads: Self.connectorsMax, queueMax: 1024)
        self.connector = connector
        let canceller = try BlockingPool(threads: 1, queueMax: Self.cancellationsMax)
        self.canceller = canceller
        func pool(
            _ loop: EventLoop,
            _ role: DatabaseRole,
            _ connections: Int,
            _ leases: Int,
            loadMaxNs: UInt64 = Self.loadMaxNs.usual
        ) -> Pool {
            Pool(
                configuration.pool(role, connections: connections, leases: leases, loadMaxNs: loadMaxNs),
                loop: loop,
                connector: connector,
                canceller: canceller
            )
        }
        pools = loops.map { loop in
            Pools(
                loop: loop,
                read: pool(loop, .application, configuration.readersPerLoop, configuration.readsPerConnection),
                largeRead: pool(
                    loop,
                    .application,
                    configuration.largeReadersPerLoop,
                    configuration.readsPerConnection,
                    loadMaxNs: Self.loadMaxNs.largeReads
                ),
                write: pool(loop, .application, configuration.writersPerLoop, 1),
                background: pool(loop, .background, configuration.backgroundsPerLoop, 1)
            )
        }
        probing = pool(loops[0], .background, 1, configuration.readsPerConnection)
        let isOneLogin = configuration.connectionString == configuration.backgroundConnectionString
        requestProbing = isOneLogin ? nil : pool(loops[0], .application, 1, configuration.readsPerConnection)
    }

    /// Runs a batch that only reads; it shares a pipelined connection with others. Shares, which are accounts, take turns by the time that their
    /// batches took. How long it took is noted in `record`.
    public func read(
        _ steps: [Step],
        on lane: ReadLane = .small,
        share: String? = nil,
        record: RequestRecord? = nil
    ) async throws(DatabaseError) -> [Rows] {
        try await run(lane == .small ? .read : .largeRead, steps, share: share, record: record)
    }

    /// Runs a batch as one transaction on a connection of its own. Of one `key` one runs at a time on each loop, so that
    /// the writes of one user don't hold every connection while they wait for each other.
    public func write(
        _ steps: [Step],
        key: String,
        record: RequestRecord? = nil
    ) async throws(DatabaseError) -> [Rows] {
        try await run(.write, steps, key: key, record: record)
    }

    /// Runs a transaction of several round trips on a connection of its own: see `Transaction`. `key` is as for `write`.
    public func transaction<T: Sendable>(
        as role: DatabaseRole,
        key: String,
        record: RequestRecord? = nil,
        _ body: @escaping @Sendable (Transaction) async throws -> T
    ) async throws -> T {
        let kind: Kind = role == .application ? .write : .background
        if let current = EventLoop.current, let pools = pools.first(where: { $0.loop === current }) {
            return try await pools[kind].transaction(key: key, record: record, body)
        }
        let pool = pools[0][kind]
        return try await pools[0].loop.run { try await pool.transaction(key: key, body) }
    }

    /// Runs a batch in the background role, as one transaction. Shares take turns, as for `read`.
    public func background(
        _ steps: [Step],
        share: String? = nil,
        record: RequestRecord? = nil
    ) async throws(DatabaseError) -> [Rows] {
        try await run(.background, steps, share: share, record: record)
    }

    /// Runs a batch in the background role that only reads, on a connection that is kept for it: for questions about the database's state.
    /// Fails also while the login of requests can't be used.
    public func probe(_ steps: [Step]) async throws(DatabaseError) -> [Rows] {
        if let requestProbing { _ = try await run(onFirstLoop: requestProbing, [Self.answer()]) }
        return try await run(onFirstLoop: probing, steps)
    }

    /// True from the beginning of `close`. It breaks off the work under way, whose errors are no news then.
    public var isClosing: Bool { closing.load(ordering: .acquiring) }

    /// Reports the error of a statement that no response depends on. `purpose` names the statement in the log.
    public func report(_ error: any Error, aside purpose: String) {
        if isClosing { return }
        reportEvent(.failedAside(purpose: purpose, reason: "\(error)"))
    }

    /// What the pools hold and have seen: one entry a kind.
    public func statistics() async -> [PoolStatistics] {
        var all: [PoolStatistics] = []
        for kind in Kind.allCases {
            var sum = PoolStatistics(kind.rawValue)
            for pools in pools { sum.add(await pools.loop.run { pools[kind].statistics(kind.rawValue) }) }
            all.append(sum)
        }
        return all
    }

    /// Connections that wait for a thread to open them.
    public var connectsWaiting: Int { connector.waitingCount }

    /// Closes every connection. Not to be called from a loop.
    public func close() async {
        closing.store(true, ordering: .releasing)
        for pools in pools {
            await pools.loop.spawn {
                pools.read.close()
                pools.largeRead.close()
                pools.write.close()
                pools.background.close()
            }.value
        }
        await pools[0].loop.spawn { [probing, requestProbing] in
            probing.close()
            requestProbing?.close()
        }.value
        connector.stop()
        canceller.stop()
    }

    /// A connection belongs to one loop: a caller from elsewhere is taken to the first.
    private func run(
        _ kind: Kind,
        _ steps: [Step],
        key: String? = nil,
        share: String? = nil,
        record: RequestRecord?
    ) async throws(DatabaseError) -> [Rows] {
        if let current = EventLoop.current, let pools = pools.first(where: { $0.loop === current }) {
            return try await pools[kind].run(steps, key: key, share: share, record: record)
        }
        return try await run(onFirstLoop: pools[0][kind], steps, key: key, share: share)
    }

    private func run(
        onFirstLoop pool: Pool,
        _ steps: [Step],
        key: String? = nil,
        share: String? = nil
    ) async throws(DatabaseError) -> [Rows] {
        let result: Result<[Rows], DatabaseError> = await pools[0].loop.run {
            do throws(DatabaseError) {
                return .success(try await pool.run(steps, key: key, share: share))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension Database.Configuration {
    fileprivate func pool(
        _ role: DatabaseRole,
        connections: Int,
        leases: Int,
        loadMaxNs: UInt64
    ) -> Pool.Configuration {
        var limits = PoolState.Limits(connections: connections, leasesPerConnection: leases, waitersMax: waitersMax)
        limits.loadMaxNs = loadMaxNs
        return Pool.Configuration(
            connectionString: role == .application ? connectionString : backgroundConnectionString,
            preparation: preparation(role),
            limits: limits,
            waitMs: waitMs,
            // PostgreSQL's own limit comes first. This one is for a statement that has changed it, and for a server that has stopped answering.
            batchTimeoutMs: statementTimeoutMs + 2000,
            report: report
        )
    }

    /// Statements are written so that their generic plan is the good one; planning a write anew each time costs more than
    /// the write.
    private func preparation(_ role: DatabaseRole) -> [String] {
        [
            // A peer that has gone without a word would hold its locks for hours, in the middle of a batch for ever.
            """
            SET search_path = neuroviews, pg_temp;
            SET plan_cache_mode = force_generic_plan; \(planning(role)); SET ROLE \(role.rawValue);
            SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
            DO $$ BEGIN IF current_setting('server_version_num')::int >= 170000 THEN
                EXECUTE 'SET transaction_timeout = \(2 * statementTimeoutMs)'; END IF; END $$
            """,
            // Another database than the one clients know (restored, failed over): another lineage begins.
            """
            SET statement_timeout = \(statementTimeoutMs); SET lock_timeout = \(statementTimeoutMs / 2);
            SET idle_in_transaction_session_timeout = \(statementTimeoutMs); SELECT check_lineage()
            """,
        ]
    }

    /// A request looks few rows up by an index that has their order. While the tables are new, their statistics say otherwise, and a plan
    /// is kept. A bitmap scan also reads the entries of dead rows for ever.
    private func planning(_ role: DatabaseRole) -> String {
        guard role == .application else { return "SET jit = off" }
        return """
            SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off; SET enable_hashjoin = off;
            SET enable_mergejoin = off; SET enable_material = off
            """
    }
}
