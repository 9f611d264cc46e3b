import Postgres

/// Forgets the nonces of requests whose timestamps are long refused.
public struct NonceSweep: Sendable {
    private let database: Database
    /// Seconds of signed timestamps that one of the four partitions holds; `enter_signed` counts the same way.
    private static let slotSeconds = 900
    private static let truncate = (0..<4).map { Statement("TRUNCATE nonces_\($0)") }

    /// Sweeps in `database`.
    public init(database: Database) { self.database = database }

    /// Empties the partition that is furthest from `now` (Unix seconds). To be called more often than every 15 minutes.
    public func run(now: Int) async throws {
        let slot = (now / Self.slotSeconds + 2) % 4
        _ = try await CloudSync.database { () throws(DatabaseError) in
            try await database.background(Self.truncate[slot]())
        }
    }
}
