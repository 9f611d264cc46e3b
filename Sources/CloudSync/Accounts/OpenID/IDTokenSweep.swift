import Postgres

/// Deletes used ID tokens that have expired.
package struct IDTokenSweep: Sendable {
    private static let stepMax = 1000
    private let database: CallerDatabase

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// Deletes all due rows, some at a time.
    package func run() async throws {
        while try await database.background(IdentitySQL.sweep(.int(Self.stepMax))).first == Self.stepMax {}
    }
}
