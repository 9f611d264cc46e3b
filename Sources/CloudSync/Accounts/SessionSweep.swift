import Postgres

/// Deletes unusable sessions, unfinished logins, and the digests of answered challenges.
package struct SessionSweep: Sendable {
    private static let stepMax = 1000
    private let database: CallerDatabase

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// Deletes all due rows, some at a time.
    package func run() async throws {
        _ = try await database.background(ChallengeSQL.sweep())
        while try await database.background(PasskeySQL.sweep(.int(Self.stepMax))).count == Self.stepMax {}
        while try await database.background(SessionSQL.sweep(.int(Self.stepMax))).count == Self.stepMax {}
    }
}
