import Postgres

/// Deletes expired responses that were stored for an Idempotency-Key.
package struct IdempotencyKeySweep: Sendable {
    private let database: CallerDatabase
    private let lifetimeSeconds: Int
    private static let stepMax = 200
    private static let sweep = Query("SELECT sweep_idempotency_keys($1, $2)") {
        columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }

    /// Deletes keys in `database` that are older than `lifetimeSeconds`.
    package init(database: Database, lifetimeSeconds: Int) {
        self.database = CallerDatabase(database)
        self.lifetimeSeconds = lifetimeSeconds
    }

    /// Call it periodically. Expired keys are ignored even before they are deleted. Goes on until a step finds none, because a step skips
    /// the keys of accounts that are writing.
    package func run() async throws {
        let sweep = Self.sweep(.int(lifetimeSeconds), .int(Self.stepMax))
        while try await database.background(sweep).first ?? 0 > 0 {}
    }
}
