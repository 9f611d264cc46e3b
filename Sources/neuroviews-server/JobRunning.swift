import CloudSync
import Net
import Storage

/// The workers of recordings' files, from the start of the server to its end.
final class JobRunning: Sendable {
    private let backend: Backend
    /// The programs that look at files get threads of their own: each keeps one for minutes.
    private let pool: BlockingPool
    private let workers: [Task<Void, Never>]

    /// Programs that wait for a thread; each worker has one at a time.
    private static let programsWaitingMax = 64

    init(_ backend: Backend, _ settings: Settings, events: EventCounts, _ log: LogWriter) throws {
        self.backend = backend
        pool = try BlockingPool(threads: settings.mediaJobs, queueMax: Self.programsWaitingMax)
        let jobs = RecordingJobs(
            database: backend.database,
            storage: backend.storage,
            laboratory: MediaLaboratory(pool: pool),
            receiptKeys: ReceiptKeys(database: backend.database, keys: backend.keys),
            confirmStore: backend.store.confirm,
            report: {
                events.add($0)
                log.write($0)
            }
        )
        workers = (0..<settings.mediaJobs).map { _ in
            backend.loops[0].spawn {
                await jobs.work(waking: backend.jobsWaiting) { log.write(.error, "jobs", [("failed", .text("\($0)"))]) }
            }
        }
    }

    /// Gives back what is not finished. Blocks until the workers have ended.
    func stop() {
        for worker in workers { worker.cancel() }
        backend.jobsWaiting.signal()
        try? backend.wait { [workers] _ in for worker in workers { await worker.value } }
        pool.stop()
    }
}
