import Postgres

/// Deletes mails that were sent, expired tokens, and registrations whose addresses were not proven.
public struct MailSweep: Sendable {
    private static let stepMax = 1000
    private let database: CallerDatabase

    /// Sweeps in `database`.
    public init(database: Database) { self.database = CallerDatabase(database) }

    /// Deletes all that are due, some at a time.
    public func run() async throws {
        for sweep in MailSQL.sweep {
            while try await database.background(sweep(.int(Self.stepMax))).count == Self.stepMax {}
        }
    }
}
