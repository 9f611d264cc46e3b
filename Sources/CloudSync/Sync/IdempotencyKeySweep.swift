import Postgres

/// Forgets the answers to requests that came with an Idempotency-Key, when their time is over.
public struct IdempotencyKeySweep: Sendable {
    private let database: CallerDatabase
    private let lifetimeSeconds: Int
    private static let stepMax = 200
    /// More than one run of a few minutes can need; what is left waits for the next one.
    private static let stepsMax = 1000
    private static let sweep = Query("SELECT sweep_idempotency_keys($1, $2)") {
        columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }

    /// Sweeps in `database` what is older.
    public init(database: Database, lifetimeSeconds: Int) {
        self.database = CallerDatabase(database)
        self.lifetimeSeconds = lifetimeSeconds
    }

    /// To be called now and then: a key that is too old counts no longer, swept or not.
    public func run() async throws {
        for _ in 0..<Self.stepsMax {
            let gone = try await database.background(Self.sweep(.int(lifetimeSeconds), .int(Self.stepMax)))
            if gone.reduce(0, +) < Self.stepMax { return }
        }
    }
}
