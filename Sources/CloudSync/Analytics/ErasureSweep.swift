import Postgres

/// Deletes the events of interrupted withdrawals, and of deleted accounts.
package struct ErasureSweep: Sendable {
    private let database: CallerDatabase
    private static let step = Query("SELECT sweep_erasures($1)") { columns throws(UnexpectedResult) -> Bool in
        try columns.next()
    }

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// Returns when nothing is left.
    package func run() async throws {
        while try await database.background(Self.step(.int(ConsentService.erasedAtOnce))).first == true {}
    }
}
