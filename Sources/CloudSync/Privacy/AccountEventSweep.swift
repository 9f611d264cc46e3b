import Postgres

/// Deletes security events older than 400 days.
public struct AccountEventSweep: Sendable {
    private let database: CallerDatabase
    private static let keptDays = 400
    private static let stepMax = 5000
    /// The next run continues.
    private static let stepsMax = 200

    /// Sweeps in `database`.
    public init(database: Database) { self.database = CallerDatabase(database) }

    /// To be called now and then, on any number of servers.
    public func run() async throws {
        for _ in 0..<Self.stepsMax {
            let sweep = AccountEventSQL.sweep(.int(Self.keptDays), .int(Self.stepMax))
            guard try await database.background(sweep).first == Self.stepMax else { return }
        }
    }
}
