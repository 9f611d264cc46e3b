import Postgres

/// Deletes master keys that nothing needs any more. Servers stop reading them a few seconds later.
package struct MasterKeySweep: Sendable {
    private let database: CallerDatabase

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// To be called now and then, on any number of servers. Returns the ids of the deleted keys. Throws `ClockDoubted`.
    package func run() async throws -> [String] { try await database.sweep(MasterKeySQL.forget()) }
}
