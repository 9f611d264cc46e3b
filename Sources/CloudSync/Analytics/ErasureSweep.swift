import Postgres

/// Deletes the events of interrupted withdrawals, and of deleted accounts.
public struct ErasureSweep: Sendable {
    private let database: CallerDatabase
    /// Limit of a run; the next one continues.
    private static let stepsMax = 500
    private static let step = Query("SELECT sweep_erasures($1)") { columns throws(UnexpectedResult) -> Bool in
        try columns.next()
    }

    /// Sweeps in `database`.
    public init(database: Database) { self.database = CallerDatabase(database) }

    /// Returns when nothing is left, or after many steps.
    public func run() async throws {
        for _ in 0..<Self.stepsMax {
            guard try await database.background(Self.step(.int(ConsentService.erasedAtOnce))).first == true else {
                return
            }
        }
    }
}
