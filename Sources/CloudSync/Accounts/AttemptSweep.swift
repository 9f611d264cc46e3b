import Postgres

/// Deletes attempts that count no longer, and addresses from where nobody has logged in for as long as a session lives unused.
public struct AttemptSweep: Sendable {
    private static let stepMax = 1000
    private static let keptDays = 90
    private let database: CallerDatabase

    /// Sweeps in `database`.
    public init(database: Database) { self.database = CallerDatabase(database) }

    /// Deletes all that are due, some at a time.
    public func run() async throws {
        let attempts = AttemptSQL.sweep(.int(LimitedAttempt.Kind.longestSeconds), .int(Self.stepMax))
        let addresses = AttemptSQL.sweepAddresses(.int(Self.keptDays), .int(Self.stepMax))
        for query in [attempts, addresses] {
            while try await database.background(query).first == Self.stepMax {}
        }
    }
}
