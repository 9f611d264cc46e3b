import Net
import TestSupport

@testable import Postgres

/// The events that a pool has reported.
final class Events: Sendable {
    private let list = Locked<[String]>([])

    var all: [String] { list.withLock { $0 } }
    func note(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed(_, let isNew): list.withLock { $0.append(isNew ? "connectFailed" : "connectFailed again") }
        case .connectionLost: list.withLock { $0.append("connectionLost") }
        case .lineageChanged: list.withLock { $0.append("lineageChanged") }
        case .failedAside: list.withLock { $0.append("failedAside") }
        }
    }
}

/// Makes a pool on a loop of its own, and runs `body` on that loop.
func withPool(
    _ connectionString: String,
    connections: Int = 2,
    leases: Int = 1,
    waitersMax: Int = 100,
    waitMs: UInt64 = 20000,
    events: Events = Events(),
    _ body: @escaping @Sendable (Pool) async throws -> Void
) async throws {
    let connector = try BlockingPool(threads: 2, queueMax: 100)
    try await withLoops { loops in
        try await onLoop(loops[0]) {
            let configuration = Pool.Configuration(
                connectionString: connectionString,
                preparation: ["SET statement_timeout = 10000"],
                limits: PoolState.Limits(
                    connections: connections,
                    leasesPerConnection: leases,
                    waitersMax: waitersMax
                ),
                waitMs: waitMs,
                batchTimeoutMs: 20000,
                report: { events.note($0) }
            )
            let pool = Pool(configuration, loop: loops[0], connector: connector, canceller: connector)
            defer { pool.close() }
            try await body(pool)
        }
        // Connections that are being opened must return to the loop before it ends.
        try await onThread { connector.stop() }
    }
}

/// Runs a batch in the pool, and returns its outcome.
func outcome(_ pool: Pool, _ steps: Step..., key: String? = nil) async -> Outcome {
    await outcome { () throws(DatabaseError) in try await pool.run(steps, key: key) }
}
