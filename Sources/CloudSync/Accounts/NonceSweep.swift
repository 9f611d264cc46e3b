import Postgres

/// Deletes nonces of requests with timestamps that have long expired.
package struct NonceSweep: Sendable {
    private let database: CallerDatabase
    private static let sweep = Query("SELECT sweep_nonces()")

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// To be called more often than every 15 minutes.
    package func run() async throws {
        _ = try await database.background(Self.sweep())
    }
}
