import Media
import Net
import Postgres
import Storage

/// Runs the jobs of recordings' files. Any number of servers may: each job has a lease, and only its holder stores the result.
public final class RecordingJobs: Sendable {
    /// What can be set.
    public struct Settings: Sendable {
        /// How long a server may be silent before another begins its job again.
        public var leaseSeconds = 60
        /// How often a job is begun, apart from the attempts that the store has failed.
        public var attemptsMax = 8
        /// The longest pause before the next attempt.
        public var pauseMaxSeconds = 21_600
        /// How often it is looked for jobs without being asked to.
        public var pollMs: UInt64 = 30_000
        /// What a preview may cost; nil: no previews are made.
        public var previews: PreviewLimits?

        /// The defaults.
        public init() {}
    }

    /// Which jobs a worker runs. Previews take longer than all others together, and have workers of their own.
    public enum Kind: Sendable {
        /// All but previews.
        case files
        /// Previews.
        case previews
    }

    let database: CallerDatabase
    let storage: ObjectStorage
    let laboratory: MediaLaboratory
    let receiptKeys: ReceiptKeys
    let writer: ItemWriter
    let settings: Settings
    private let confirmStore: @Sendable () async throws -> Void
    let confirmStoreNow: @Sendable () async throws -> Void
    private let report: @Sendable (JobEvent) -> Void
    private let wakePreviews: @Sendable () -> Void
    /// The account whose turn it was, for each kind.
    private let lastUserIDs = Locked([Kind: String]())

    /// What PostgreSQL notifies of when there is a new job (LISTEN).
    public static let announcement = "neuroviews_jobs"

    private static let firstUserID = "00000000-0000-0000-0000-000000000000"

    /// Deletes what jobs have left in the folder of temporary files when their process was killed: for the start of a program. Blocks.
    public static func removeLeftovers() { FetchedMedia.removeLeftovers() }

    /// Runs jobs in `database` on files in `storage`. `confirmStore` throws while that is not the database's store, `confirmStoreNow` by a look at
    /// it. `wakePreviews` is called when there is a new preview to make.
    public init(
        database: Database,
        storage: ObjectStorage,
        laboratory: MediaLaboratory,
        receiptKeys: ReceiptKeys,
        settings: Settings = Settings(),
        confirmStore: @escaping @Sendable () async throws -> Void = {},
        confirmStoreNow: @escaping @Sendable () async throws -> Void = {},
        report: @escaping @Sendable (JobEvent) -> Void = { _ in },
        wakePreviews: @escaping @Sendable () -> Void = {}
    ) {
        self.database = CallerDatabase(database)
        self.storage = storage
        self.laboratory = laboratory
        self.receiptKeys = receiptKeys
        self.settings = settings
        self.confirmStore = confirmStore
        self.confirmStoreNow = confirmStoreNow
        self.report = report
        self.wakePreviews = wakePreviews
        // What the server writes is never refused: the account can't do anything about it.
        writer = ItemWriter(database: self.database, sql: .recordings, quotas: AccountQuotas(), keyLifetimeSeconds: 0)
    }

    /// Runs jobs until the task is cancelled: what is due, what `wakeup` announces, and what has become due meanwhile. An attempt that
    /// is cancelled is given back. `failed` gets what keeps it from looking for jobs.
    public func work(
        on kind: Kind = .files,
        waking wakeup: Wakeup,
        failed: @Sendable (any Error) -> Void = { _ in }
    ) async {
        while !Task.isCancelled {
            do {
                try await confirmStore()
                if try await runNext(kind) { continue }
            } catch {
                failed(error)
            }
            if !Task.isCancelled { await wakeup.wait(forMs: settings.pollMs) }
        }
    }

    /// Runs the next job that is due. Returns whether there was one. Throws what keeps it from looking for one.
    @discardableResult
    public func runNext(_ kind: Kind = .files) async throws -> Bool {
        guard let job = try await claim(kind) else { return false }
        await run(job)
        return true
    }

    /// Begins the next job. Accounts take turns, so that a thousand jobs of one don't hold up the only one of another.
    func claim(_ kind: Kind = .files) async throws -> RecordingJob? {
        let last = lastUserIDs.withLock { $0[kind] } ?? Self.firstUserID
        var found = try await database.background(claim(kind, after: last))
        if found.isEmpty, last != Self.firstUserID {
            found = try await database.background(claim(kind, after: Self.firstUserID))
        }
        guard let job = found.first else { return nil }
        lastUserIDs.withLock { $0[kind] = job.userID }
        return job
    }

    private func claim(_ kind: Kind, after userID: String) -> BoundQuery<RecordingJob> {
        let query = kind == .files ? JobSQL.claim : JobSQL.claimPreview
        return query(.text(userID), .int(settings.leaseSeconds))
    }

    /// Runs a job that was begun, and stores what came of it.
    func run(_ job: RecordingJob) async {
        let startMs = Monotonic.nowMs()
        var end: JobEvent.End
        do {
            end = try await result(of: job)
        } catch {
            // The lease will end by itself.
            end = .postponed(reason: "\(error)")
        }
        report(
            JobEvent(
                kind: job.kind.rawValue,
                recordingID: job.recordingID,
                attempts: job.attempts,
                durationMs: Int(Monotonic.nowMs() - startMs),
                end: end
            )
        )
    }

    private func result(of job: RecordingJob) async throws -> JobEvent.End {
        // A server that this job has ended every time has left no word.
        if job.countedAttempts > settings.attemptsMax { return try await giveUp(job, "begun \(job.attempts) times") }
        do {
            let outcome = try await holdingLease(of: job) { try await self.examine(job) }
            try await store(outcome, of: job)
            if case .processed = outcome, settings.previews != nil { wakePreviews() }
            return .done(notes: outcome.notes)
        } catch is LeaseLost {
            try await deleteMadeForNobody(by: job)
            return .lost
        } catch {
            if Task.isCancelled {
                _ = try await database.background(JobSQL.release(job.held))
                return .interrupted
            }
            let isExcused = job.isExcused(error)
            if !isExcused, job.countedAttempts >= settings.attemptsMax { return try await giveUp(job, "\(error)") }
            let more: [Parameter] = [.int(settings.pauseMaxSeconds), .int(isExcused ? 1 : 0)]
            _ = try await database.background(JobSQL.postpone(job.held + more))
            return .postponed(reason: "\(error)")
        }
    }

    /// A file whose verification has ended every server has failed; one that can't be measured is ready all the same.
    private func giveUp(_ job: RecordingJob, _ reason: String) async throws -> JobEvent.End {
        let outcome: JobOutcome =
            switch job.kind {
            case .verify: .failed(.notVerified)
            case .process: .processed(MediaFindings())
            case .remove: .removed
            case .preview: .previewed(failure: reason)
            }
        do {
            try await store(outcome, of: job)
        } catch is LeaseLost {
            return .lost
        }
        return .dead(reason: reason)
    }

    /// Does the work while the lease is prolonged. Work whose lease is lost is cancelled.
    private func holdingLease(
        of job: RecordingJob,
        _ work: @escaping @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        try await withThrowingTaskGroup(of: JobOutcome?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.keepLease(of: job)
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() { if let outcome { return outcome } }
            throw CancellationError()
        }
    }

    private func keepLease(of job: RecordingJob) async throws {
        while true {
            try await Task.sleep(for: .milliseconds(settings.leaseSeconds * 1000 / 3))
            let renew = JobSQL.renew(job.held + [.int(settings.leaseSeconds)])
            // A database that is away for a moment is no reason to begin again.
            guard let renewed = try? await database.background(renew) else { continue }
            if renewed.isEmpty { throw LeaseLost() }
        }
    }
}

extension RecordingJob {
    /// Whether the store or the machine has failed, and not the job: an outage may last, and what was not verified meanwhile is still as good.
    /// Nothing in a file keeps it from being read, so verifications are never given up for what they throw.
    fileprivate func isExcused(_ error: any Error) -> Bool { kind == .verify || error is StorageError }
}

/// Another server has begun the job again, or it is gone.
struct LeaseLost: Error {}

extension JobOutcome {
    /// For the log.
    fileprivate var notes: [String] {
        switch self {
        case .failed(let failure): [failure.rawValue]
        case .processed(let findings): findings.notes
        case .previewed(let failure): failure.map { ["preview: \($0)"] } ?? []
        case .verified, .removed, .gone: []
        }
    }
}
