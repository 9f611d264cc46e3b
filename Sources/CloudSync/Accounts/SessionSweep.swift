import Postgres

/// Deletes unusable sessions, unfinished logins, and the digests of answered challenges.
public struct SessionSweep: Sendable {
    private static let stepMax = 1000
    private let database: CallerDatabase

    /// Sweeps in `database`.
    public init(database: Database) { self.database = CallerDatabase(database) }

    /// Deletes all due rows, some at a time.
    public func run() async throws {
        _ = try await database.background(ChallengeSQL.sweep())
        while try await database.background(PasskeySQL.sweep(.int(Self.stepMax))).count == Self.stepMax {}
        while try await database.background(SessionSQL.sweep(.int(Self.stepMax))).count == Self.stepMax {}
    }
}
