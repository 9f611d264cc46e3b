import Postgres

/// Deletes sent mails, expired tokens, and registrations with unconfirmed addresses.
package struct MailSweep: Sendable {
    private static let stepMax = 1000
    private let database: CallerDatabase

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// Deletes all due rows, some at a time.
    package func run() async throws {
        for sweep in MailSQL.sweep {
            while try await database.background(sweep(.int(Self.stepMax))).count == Self.stepMax {}
        }
    }
}
