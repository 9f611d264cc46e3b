import Net
import Postgres

/// Forgets old documents: of versions that were replaced, and those that lost conflicts. Digests, times and presets of versions stay,
/// since retries are answered from them, and the current documents stay anyway.
public struct Retention: Sendable {
    /// What is kept; 0 is without a limit.
    public struct Limits: Sendable, Equatable {
        /// Versions of each item whose documents are kept, the current one included.
        public var versionsMax: Int
        /// How long the document of a version is kept after it was replaced or deleted, in days.
        public var versionsDays: Int
        /// Conflicts that are kept of each item.
        public var conflictsMax: Int
        /// How long a conflict is kept, in days.
        public var conflictsDays: Int

        /// Takes the values.
        public init(versionsMax: Int, versionsDays: Int, conflictsMax: Int, conflictsDays: Int) {
            self.versionsMax = versionsMax
            self.versionsDays = versionsDays
            self.conflictsMax = conflictsMax
            self.conflictsDays = conflictsDays
        }
    }

    /// What a run has done.
    public struct Removed: Sendable, Equatable {
        /// Versions whose documents were emptied.
        public var versions: Int
        /// Conflicts that were deleted.
        public var conflicts: Int

        /// Nothing, or so many.
        public init(versions: Int = 0, conflicts: Int = 0) {
            self.versions = versions
            self.conflicts = conflicts
        }

        /// Whether there was nothing to do.
        public var isEmpty: Bool { self == Removed() }
    }

    private let database: CallerDatabase
    private let limits: Limits
    /// Rows that one transaction looks at.
    private let stepMax: Int
    /// Changes this young are left alone: one whose transaction began earlier may be committed after it.
    private let settledSeconds: Int
    /// Waits a moment for a user who is writing.
    private let pause: @Sendable () async -> Void
    /// Transactions of each kind in one run; the next run goes on.
    private static let stepsMax = 1000
    /// How often a step is tried again that a user who is writing stands in the way of: between two writes the way is free.
    static let triesMax = 20
    private static let pauseMs: UInt64 = 50
    private static let secondsPerDay = 86400

    // What they do stands in Migrations/functions/sweeps.sql.
    private static let versions = Query("SELECT * FROM sweep_versions($1, $2, $3, $4)", Done.next)
    private static let conflicts = Query("SELECT * FROM sweep_conflicts('conflicts by count', $1, $2, $3)", Done.next)
    private static let oldConflicts = Query("SELECT * FROM sweep_old_conflicts($1, $2)", Done.next)

    /// Forgets in `database` what `limits` don't keep. `pause` takes the place of the sleep while a user is writing.
    public init(
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

    /// To be called now and then, on any number of servers.
    public func run() async throws -> Removed {
        var removed = Removed()
        if limits.versionsMax > 0 {
            for walk in ["versions by count", "recording versions by count"] {
                removed.versions += try await repeated {
                    versions(walk, kept: limits.versionsMax, ageSeconds: settledSeconds)
                }
            }
        }
        if limits.versionsDays > 0 {
            for walk in ["versions by age", "recording versions by age"] {
                removed.versions += try await repeated {
                    versions(walk, kept: 1, ageSeconds: limits.versionsDays * Self.secondsPerDay)
                }
            }
        }
        if limits.conflictsMax > 0 { removed.conflicts += try await repeated { surplusConflicts } }
        if limits.conflictsDays > 0 { removed.conflicts += try await repeated { oldConflicts } }
        return removed
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

    /// One transaction after the other, until one finds less than it may look at, or a user who is writing stands in the way
    /// for too long. Returns how many rows were changed.
    private func repeated(_ step: () -> BoundQuery<Done>) async throws -> Int {
        var changed = 0
        var tries = 0
        for _ in 0..<Self.stepsMax {
            guard let done = try await database.background(step()).first else { break }
            changed += done.changed
            if done.seen > 0 { tries = 0 }
            guard done.isBusy else {
                if done.seen < stepMax { break }
                continue
            }
            if done.seen == 0 {
                if tries == Self.triesMax { break }
                tries += 1
                await pause()
            }
        }
        return changed
    }
}

/// What one transaction of a sweep has done.
private struct Done {
    let changed: Int
    let seen: Int
    let isBusy: Bool

    @Sendable
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> Done {
        Done(changed: try columns.next(), seen: try columns.next(), isBusy: try columns.next())
    }
}
