import Postgres

/// Deletes attempts that no longer count. Deletes addresses without a login for 90 days, the lifetime of an unused
/// session.
package struct AttemptSweep: Sendable {
    private static let stepMax = 1000
    private static let keptDays = 90
    private let database: CallerDatabase

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// Deletes all due rows, some at a time.
    package func run() async throws {
        let attempts = AttemptSQL.sweep(.int(LimitedAttempt.Kind.longestSeconds), .int(Self.stepMax))
        let addresses = AttemptSQL.sweepAddresses(.int(Self.keptDays), .int(Self.stepMax))
        for query in [attempts, addresses] {
            while try await database.background(query).first == Self.stepMax {}
        }
    }
}
