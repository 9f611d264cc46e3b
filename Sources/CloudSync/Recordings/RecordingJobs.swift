import FoundationEssentials
import Media
import Net
import Postgres
import Storage
import Synchronization

/// Runs the jobs of recordings' files. Several servers may do so: each job has a lease, and only its holder stores the
/// result.
package final class RecordingJobs: Sendable {
    /// The settings of the jobs.
    package struct Settings: Sendable {
        /// Seconds without a renewal until another server may begin the job again.
        package var leaseSeconds = 60
        /// Limit of attempts at a job. Attempts that failed because of the store do not count.
        package var attemptsMax = 8
        /// The longest pause between attempts.
        package var pauseMaxSeconds = 21_600
        /// The interval between searches for jobs without a wakeup.
        package var pollMs: UInt64 = 30_000
        /// The files that this process decodes at a time.
        package var mediaJobs = 2
        /// The limits of a preview; nil: no previews are made.
        package var previews: PreviewLimits?

        /// Takes the defaults.
        package init() {}

        /// The workers of a lane in this process. An account has all but one, so the files that it has checked at a time
        /// are as many as are decoded.
        package func workers(of lane: JobLane) -> Int {
            guard mediaJobs > 0 else { return 0 }
            return switch lane {
            case .checks: mediaJobs + 1
            case .decoding: mediaJobs
            case .previews: previews == nil ? 0 : 1
            }
        }
    }

    let database: CallerDatabase
    let storage: ObjectStorage
    let laboratory: MediaLaboratory
    let writer: ItemWriter
    let settings: Settings
    private let confirmStore: @Sendable () async throws -> Void
    let confirmStoreNow: @Sendable () async throws -> Void
    private let report: @Sendable (JobEvent) -> Void
    private let wake: @Sendable (JobLane) -> Void
    /// Names this process in the notes of its workers.
    private let process = UUID().uuidString.lowercased()
    /// True if the last search noted its workers.
    private let isNoted = Atomic(false)

    /// The channel on which PostgreSQL announces new jobs (LISTEN).
    package static let announcement = "neuroviews_jobs"

    /// The pause after the first error of a search; each further one doubles it, up to `pollMs`.
    private static let firstRetryMs: UInt64 = 1000

    /// Deletes temporary files of killed processes. To be called when a program starts. Blocks.
    package static func removeLeftovers() { WorkFolder.removeLeftovers() }

    /// Runs jobs in `database` on files in `storage`. `confirmStore` throws if that is not the database's store;
    /// `confirmStoreNow` reads the store to decide. `wake` is called for a new job of a lane, `announce` with the account
    /// after each commit of a recording.
    package init(
        database: Database,
        storage: ObjectStorage,
        laboratory: MediaLaboratory,
        settings: Settings = Settings(),
        confirmStore: @escaping @Sendable () async throws -> Void = {},
        confirmStoreNow: @escaping @Sendable () async throws -> Void = {},
        report: @escaping @Sendable (JobEvent) -> Void = { _ in },
        wake: @escaping @Sendable (JobLane) -> Void = { _ in },
        announce: @escaping @Sendable (_ userID: String) -> Void = { _ in }
    ) {
        self.database = CallerDatabase(database)
        self.storage = storage
        self.laboratory = laboratory
        self.settings = settings
        self.confirmStore = confirmStore
        self.confirmStoreNow = confirmStoreNow
        self.report = report
        self.wake = wake
        // The server's own writes ignore quotas: the account could do nothing about a rejected one.
        let unlimited = AccountQuotas()
        writer = ItemWriter(database: self.database, sql: .recordings, quotas: unlimited, announce: announce)
    }

    /// Runs jobs until the task is cancelled: due ones, those that `wakeup` announces, and those that become due. A
    /// cancelled attempt does not count. `failed` receives errors of the search for jobs.
    package func work(
        on lane: JobLane = .checks,
        waking wakeup: Wakeup,
        failed: @Sendable (any Error) -> Void = { _ in }
    ) async {
        var retryMs = Self.firstRetryMs
        while !Task.isCancelled {
            var pauseMs = settings.pollMs
            do {
                try await confirmStore()
                let ran = try await runNext(lane)
                retryMs = Self.firstRetryMs
                if ran { continue }
            } catch {
                failed(error)
                pauseMs = min(pauseMs, retryMs)
                retryMs = pauseMs * 2
            }
            if !Task.isCancelled { await wakeup.wait(forMs: pauseMs) }
        }
    }

    /// Runs the next due job. Returns false if there was none. Throws errors of the search.
    @discardableResult
    package func runNext(_ lane: JobLane = .checks) async throws -> Bool {
        guard let job = try await claim(lane) else { return false }
        await run(job)
        return true
    }

    /// Claims the next job. Accounts take turns, so that a thousand jobs of one do not delay the only job of another.
    func claim(_ lane: JobLane = .checks) async throws -> RecordingJob? {
        isNoted.store(false, ordering: .relaxed)
        let (_, _, found) = try await database.background(
            JobTurnSQL.lock(lane),
            note(lane),
            JobTurnSQL.claim(lane, leaseSeconds: settings.leaseSeconds)
        )
        isNoted.store(true, ordering: .relaxed)
        return found.first
    }

    private func note(_ lane: JobLane) -> BoundQuery<Void> {
        JobTurnSQL.note(process, lane, workers: settings.workers(of: lane))
    }

    /// Deletes the notes of this process's workers, after they have ended. Does nothing if the last search failed: the
    /// server must not wait for a database that is down.
    package func leave() async throws {
        guard isNoted.load(ordering: .relaxed) else { return }
        _ = try await database.background(JobTurnSQL.leave(process))
    }

    /// Runs a claimed job and stores its outcome.
    func run(_ job: RecordingJob) async {
        let startMs = Monotonic.nowMs()
        var end: JobEvent.End
        do {
            end = try await result(of: job)
        } catch {
            // The lease expires on its own.
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
        // This job has stopped the server in every attempt, so no attempt has left an error.
        if job.countedAttempts > settings.attemptsMax { return try await giveUp(job, "begun \(job.attempts) times") }
        do {
            let outcome = try await holdingLease(of: job) { try await self.examine(job) }
            try await store(outcome, of: job)
            if let lane = outcome.laneOfNext { wake(lane) }
            return .done(notes: outcome.notes)
        } catch is LeaseLost {
            try await deleteMadeForNobody(by: job)
            return .lost
        } catch {
            if Task.isCancelled {
                _ = try await database.background(JobSQL.release(job.held), JobTurnSQL.charge(job))
                return .interrupted
            }
            let isExcused = job.isExcused(error)
            if !isExcused, job.countedAttempts >= settings.attemptsMax { return try await giveUp(job, "\(error)") }
            let more: [Parameter] = [.int(settings.pauseMaxSeconds), .int(isExcused ? 1 : 0)]
            _ = try await database.background(JobSQL.postpone(job.held + more), JobTurnSQL.charge(job))
            return .postponed(reason: "\(error)")
        }
    }

    /// A file fails if every server stopped during its verification. A file that can't be measured is ready all the
    /// same.
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

    /// Runs the work while another task renews the lease. Work without a lease is cancelled.
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
            // A short outage of the database is no reason to begin again.
            guard let (renewed, _) = await database.aside("lease of a job", renew, note(job.kind.lane)) else {
                continue
            }
            if renewed.isEmpty { throw LeaseLost() }
        }
    }
}

extension RecordingJob {
    /// True if the store or the disk for temporary files has failed, not the job. An outage may last, and does not make
    /// a file bad. Nothing in a file can make reading fail, so no error ends a verification for good.
    fileprivate func isExcused(_ error: any Error) -> Bool {
        kind == .verify || error is StorageError || error is WorkFolderError
    }
}

/// Another server has begun the job again, or the job is gone.
struct LeaseLost: Error {}

extension JobOutcome {
    /// The lane that may have a job after this one.
    fileprivate var laneOfNext: JobLane? {
        switch self {
        case .verified: .decoding
        case .processed: .previews
        case .failed, .removed, .previewed, .gone: nil
        }
    }

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
