import CloudSync
import Net
import Observability
import Settings
import Storage

/// The workers for recording files, from the server's start to its end.
final class JobRunning: Sendable {
    private let backend: Backend
    /// A pool of its own, because each program on a file keeps a thread for minutes.
    private let pool: BlockingPool
    private let workers: [Task<Void, Never>]
    /// Measures files.
    let laboratory: MediaLaboratory
    /// Wakes the single preview worker: previews take long, and nothing waits for them.
    private let previewsWaiting: Wakeup

    /// The most programs that wait for a thread. Each worker runs one at a time.
    private static let programsWaitingMax = 64

    init(_ backend: Backend, _ settings: Settings, events: EventCounts, _ log: LogWriter) throws {
        self.backend = backend
        RecordingJobs.removeLeftovers()
        let makesPreviews = settings.previews == .on && settings.mediaJobs > 0
        pool = try BlockingPool(
            threads: settings.mediaJobs + (makesPreviews ? 1 : 0),
            queueMax: Self.programsWaitingMax
        )
        let previewsWaiting = Wakeup(backend.loops[0])
        let laboratory = MediaLaboratory(pool: pool)
        let jobs = RecordingJobs(
            database: backend.database,
            storage: backend.storage,
            laboratory: laboratory,
            settings: RecordingJobs.Settings(settings),
            confirmStore: backend.store.confirm,
            confirmStoreNow: backend.store.confirmNow,
            report: {
                events.add($0)
                log.write($0)
            },
            wakePreviews: { previewsWaiting.signal() }
        )
        (self.previewsWaiting, self.laboratory) = (previewsWaiting, laboratory)
        let kinds = Array(repeating: RecordingJobs.Kind.files, count: settings.mediaJobs)
        workers = (kinds + (makesPreviews ? [.previews] : [])).map { kind in
            let wakeup = kind == .files ? backend.jobsWaiting : previewsWaiting
            return backend.loops[0].spawn {
                await jobs.work(on: kind, waking: wakeup) { log.write(.error, "jobs", [("failed", .text("\($0)"))]) }
            }
        }
    }

    /// Makes every worker look for jobs.
    func wake() { for wakeup in [backend.jobsWaiting, previewsWaiting] { wakeup.signal() } }

    /// Releases unfinished jobs. Blocks until the workers have ended.
    func stop() {
        for worker in workers { worker.cancel() }
        backend.stopTransfers()
        wake()
        try? backend.wait { [workers] _ in for worker in workers { await worker.value } }
        pool.stop()
    }
}
