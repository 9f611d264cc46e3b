import Net
import Postgres

/// Deletes old documents of replaced versions of configurations and recordings, and of conflicts. Current documents
/// stay. Digests, times and presets of versions stay, too: retries and usage need them.
package struct HistorySweep: Sendable {
    /// Limits; 0 means unlimited.
    package struct Limits: Sendable, Equatable {
        /// Versions of each item that keep their documents, including the current one.
        package var versionsMax: Int
        /// Days that a version's document is kept after its replacement or deletion.
        package var versionsDays: Int
        /// Conflicts that are kept of each item.
        package var conflictsMax: Int
        /// Days that a conflict is kept.
        package var conflictsDays: Int

        /// Stores the values.
        package init(versionsMax: Int, versionsDays: Int, conflictsMax: Int, conflictsDays: Int) {
            self.versionsMax = versionsMax
            self.versionsDays = versionsDays
            self.conflictsMax = conflictsMax
            self.conflictsDays = conflictsDays
        }
    }

    /// The result of a run.
    package struct Removed: Sendable, Equatable {
        /// Versions whose documents were emptied.
        package var versions: Int
        /// Conflicts that were deleted.
        package var conflicts: Int
        /// True when there is more to do.
        package var isCut = false

        /// Nothing, or so many.
        package init(versions: Int = 0, conflicts: Int = 0) {
            self.versions = versions
            self.conflicts = conflicts
        }

        /// True when the run changed nothing.
        package var isEmpty: Bool { versions == 0 && conflicts == 0 }
    }

    private let database: CallerDatabase
    private let limits: Limits
    /// Limit of rows that one transaction reads.
    private let stepMax: Int
    /// Younger changes are skipped: a transaction that began before one may commit after it.
    private let settledSeconds: Int
    /// Waits a moment while a user is writing.
    private let pause: @Sendable () async -> Void
    /// Transactions of each kind in one run, so that no kind waits long for another one.
    private static let stepsMax = 100
    /// Retries of a step while a user is writing: between two writes the user's rows are free.
    static let triesMax = 20
    private static let pauseMs: UInt64 = 50
    private static let secondsPerDay = 86400

    // See Migrations/functions/sweeps.sql.
    private static let versions = Query("SELECT * FROM sweep_versions($1, $2, $3, $4)", Done.next)
    private static let conflicts = Query("SELECT * FROM sweep_conflicts('conflicts by count', $1, $2, $3)", Done.next)
    private static let oldConflicts = Query("SELECT * FROM sweep_old_conflicts($1, $2)", Done.next)

    /// Deletes documents in `database` beyond `limits`. `pause` replaces the sleep while a user is writing.
    package init(
        database: Database,
        limits: Limits,
        stepMax: Int = 200,
        settledSeconds: Int = 600,
        pause: (@Sendable () async -> Void)? = nil
    ) {
        self.database = CallerDatabase(database)
        self.limits = limits
        self.stepMax = stepMax
        self.settledSeconds = settledSeconds
        self.pause = pause ?? { await EventLoop.current?.sleep(forMs: Self.pauseMs) }
    }

    /// Runs all limits. Call it periodically, on any number of servers, and again at once when it was cut. Throws
    /// `ClockDoubted`.
    package func run() async throws -> Removed {
        var removed = Removed()
        for step in versionSteps { removed.versions += try await repeated(step, &removed.isCut) }
        for step in conflictSteps { removed.conflicts += try await repeated(step, &removed.isCut) }
        return removed
    }

    private var versionSteps: [BoundQuery<Done>] {
        var steps: [BoundQuery<Done>] = []
        if limits.versionsMax > 0 {
            steps += ["versions by count", "recording versions by count"].map {
                versions($0, kept: limits.versionsMax, ageSeconds: settledSeconds)
            }
        }
        if limits.versionsDays > 0 {
            steps += ["versions by age", "recording versions by age"].map {
                versions($0, kept: 1, ageSeconds: limits.versionsDays * Self.secondsPerDay)
            }
        }
        return steps
    }

    private var conflictSteps: [BoundQuery<Done>] {
        (limits.conflictsMax > 0 ? [surplusConflicts] : []) + (limits.conflictsDays > 0 ? [oldConflicts] : [])
    }

    private func versions(_ walk: String, kept: Int, ageSeconds: Int) -> BoundQuery<Done> {
        Self.versions(.text(walk), .int(kept), .int(ageSeconds), .int(stepMax))
    }

    private var surplusConflicts: BoundQuery<Done> {
        Self.conflicts(.int(limits.conflictsMax), .int(settledSeconds), .int(stepMax))
    }

    private var oldConflicts: BoundQuery<Done> {
        Self.oldConflicts(.int(limits.conflictsDays * Self.secondsPerDay), .int(stepMax))
    }

    /// Runs one transaction after the other. Stops when one finds fewer rows than its limit, or when a user writes for too long. Returns
    /// the number of changed rows. Sets `isCut` if there is more to do.
    private func repeated(_ step: BoundQuery<Done>, _ isCut: inout Bool) async throws -> Int {
        var changed = 0
        var tries = 0
        for _ in 0..<Self.stepsMax {
            guard let done = try await database.sweep(step).first else { return changed }
            changed += done.changed
            if done.seen > 0 { tries = 0 }
            guard done.isBusy else {
                if done.seen < stepMax { return changed }
                continue
            }
            if done.seen == 0 {
                if tries == Self.triesMax { return changed }
                tries += 1
                await pause()
            }
        }
        isCut = true
        return changed
    }
}

/// The result of one transaction of a sweep.
private struct Done {
    let changed: Int
    let seen: Int
    let isBusy: Bool

    @Sendable
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> Done {
        Done(changed: try columns.next(), seen: try columns.next(), isBusy: try columns.next())
    }
}
