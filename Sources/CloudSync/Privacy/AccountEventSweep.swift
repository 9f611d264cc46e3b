import Postgres

/// Deletes security events older than 400 days.
package struct AccountEventSweep: Sendable {
    private let database: CallerDatabase
    private static let keptDays = 400
    private static let stepMax = 5000

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// To be called now and then, on any number of servers.
    package func run() async throws {
        let sweep = AccountEventSQL.sweep(.int(Self.keptDays), .int(Self.stepMax))
        while try await database.background(sweep).first == Self.stepMax {}
    }
}
