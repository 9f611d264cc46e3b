import Postgres

/// Forgets with what the requests that merged and patched were put together, when a retry of theirs has nothing to find any
/// more. That is as old as the documents of the history get: a merge needs the document of the version that If-Match names,
/// which was replaced before, and is refused without it. A shorter time, such as that of an Idempotency-Key, would have the
/// retry of a device that was offline for a week merged once more, over what others have written since.
public struct MergeSweep: Sendable {
    private let database: Database
    private let keptDays: Int
    private static let stepMax = 200
    /// More than one run of a few minutes can need; what is left waits for the next one.
    private static let stepsMax = 1000
    private static let secondsPerDay = 86400
    private static let sweep = Statement("SELECT sweep_merges($1, $2)")

    /// Sweeps in `database` what is older; 0 is without a limit.
    public init(database: Database, keptDays: Int) {
        self.database = database
        self.keptDays = keptDays
    }

    /// To be called now and then, on any number of servers.
    public func run() async throws {
        guard keptDays > 0 else { return }
        let step = Self.sweep(.int(keptDays * Self.secondsPerDay), .int(Self.stepMax))
        for _ in 0..<Self.stepsMax {
            let rows = try await CloudSync.database { () throws(DatabaseError) in try await database.background(step) }
            if rows[0].first?.int(0) ?? 0 < Self.stepMax { return }
        }
    }
}
