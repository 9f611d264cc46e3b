import Net
import TestSupport

@testable import Postgres

/// Connects to a new database, on a loop of its own, and runs `body` on that loop.
func withConnection(
    batchTimeoutMs: UInt64 = 20000,
    preparation: [String] = [],
    onLoss: @escaping @Sendable (String) -> Void = { _ in },
    _ body: @escaping @Sendable (PostgresConnection) async throws -> Void
) async throws {
    let database = try await onThread { try TestCluster.shared.get().makeDatabase() }
    let handle = try await onThread { try ConnectedHandle.connect(database, preparation: preparation) }
    try await withLoops { loops in
        try await onLoop(loops[0]) {
            let connection = try PostgresConnection(
                handle,
                loop: loops[0],
                batchTimeoutMs: batchTimeoutMs,
                onLoss: onLoss
            )
            defer { connection.close() }
            try await body(connection)
        }
    }
}

/// Runs a batch and returns PostgreSQL's refusal, or nil if the batch succeeded.
func refusal(_ body: () async throws -> [Rows]) async throws -> ServerRefusal? {
    do {
        _ = try await body()
        return nil
    } catch DatabaseError.refused(let refusal) {
        return refusal
    }
}

/// The outcome of a call to the database, without the details.
enum Outcome: Equatable {
    case done
    case refused(state: String)
    case unavailable
    case connectionLost
}

/// Runs `body` and returns its outcome.
func outcome(_ body: () async throws(DatabaseError) -> [Rows]) async -> Outcome {
    do throws(DatabaseError) {
        _ = try await body()
        return .done
    } catch {
        switch error {
        case .refused(let refusal): return .refused(state: refusal.state)
        case .unavailable, .unusable: return .unavailable
        case .connectionLost: return .connectionLost
        }
    }
}
