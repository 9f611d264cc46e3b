import CloudSync
import Net
import Observability
import Settings
import Storage

/// The workers for recording files, from the server's start to its end.
final class JobRunning: Sendable {
    private let backend: Backend
    private let jobs: RecordingJobs
    /// A pool of its own, because each program on a file keeps a thread for minutes.
    private let pool: BlockingPool
    private let workers: [Task<Void, Never>]
    /// Measures files.
    let laboratory: MediaLaboratory
    /// Wakes the workers of each lane.
    private let waiting: [JobLane: Wakeup]

    /// The most programs that wait for a thread. Each worker runs one at a time.
    private static let programsWaitingMax = 64

    init(_ backend: Backend, _ settings: Settings, events: EventCounts, _ log: LogWriter) throws {
        self.backend = backend
        RecordingJobs.removeLeftovers()
        let jobSettings = RecordingJobs.Settings(settings)
        pool = try BlockingPool(
            threads: jobSettings.workers(of: .decoding) + jobSettings.workers(of: .previews),
            queueMax: Self.programsWaitingMax
        )
        let loop = backend.loops[0]
        let waiting: [JobLane: Wakeup] = [
            .checks: backend.jobsWaiting, .decoding: Wakeup(loop), .previews: Wakeup(loop),
        ]
        let laboratory = Self.laboratory(pool, settings, events, log)
        let jobs = RecordingJobs(
            database: backend.database,
            storage: backend.storage,
            laboratory: laboratory,
            settings: jobSettings,
            confirmStore: backend.store.confirm,
            confirmStoreNow: backend.store.confirmNow,
            report: {
                events.add($0)
                log.write($0)
            },
            wake: { waiting[$0]?.signal() },
            announce: backend.announceItems
        )
        (self.jobs, self.waiting, self.laboratory) = (jobs, waiting, laboratory)
        let failed = log.failure(of: "jobs", in: backend.database)
        workers = waiting.flatMap { lane, wakeup in
            (0..<jobSettings.workers(of: lane)).map { _ in
                loop.spawn { await jobs.work(on: lane, waking: wakeup, failed: failed) }
            }
        }
    }

    private static func laboratory(
        _ pool: BlockingPool,
        _ settings: Settings,
        _ events: EventCounts,
        _ log: LogWriter
    ) -> MediaLaboratory {
        MediaLaboratory(
            pool: pool,
            allowsNoWalls: settings.unsandboxedMedia == .acceptRisk,
            report: {
                events.add($0)
                log.write($0)
            }
        )
    }

    /// Makes every worker look for jobs.
    func wake() { for wakeup in waiting.values { wakeup.signal() } }

    /// Releases unfinished jobs. Blocks until the workers have ended.
    func stop() {
        for worker in workers { worker.cancel() }
        backend.stopTransfers()
        wake()
        // Without the database the notes of the workers expire within a minute.
        try? backend.wait { [workers, jobs] _ in
            for worker in workers { await worker.value }
            try await jobs.leave()
        }
        pool.stop()
    }
}
