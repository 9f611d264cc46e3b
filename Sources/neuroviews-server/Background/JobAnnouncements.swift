import CloudSync
import Dispatch
import Machine
import Net
import Observability
import Postgres
import Synchronization

/// Listens for jobs that other processes enqueue, on its own connection and thread. Without it jobs are found by
/// periodic checks.
final class JobAnnouncements: Sendable {
    private let connectionString: String
    private let log: LogWriter
    private let wake: @Sendable () -> Void
    private let isStopped = Atomic(false)
    private let stopped = DispatchSemaphore(value: 0)
    private static let tickMs: Int32 = 500
    private static let pauseMs = 2000

    /// Calls `wake` for each announcement, and each time after it may have missed one.
    init(_ connectionString: String, _ log: LogWriter, wake: @escaping @Sendable () -> Void) {
        self.connectionString = connectionString
        self.log = log
        self.wake = wake
    }

    func start() {
        BackgroundThread.start("jobs") { [self] in
            while !isStopped.load(ordering: .relaxed) { listen() }
        }
    }

    /// The thread ends soon afterwards.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        stopped.signal()
    }

    /// Listens until the connection is lost.
    private func listen() {
        do throws(DatabaseError) {
            let session = try BlockingSession(connectionString)
            try session.execute("LISTEN \(RecordingJobs.announcement)")
            wake()
            while !isStopped.load(ordering: .relaxed) {
                if try session.awaitNotification(forMs: Self.tickMs) { wake() }
            }
        } catch {
            guard !isStopped.load(ordering: .relaxed) else { return }
            log.write(.warning, "jobs", [("not_listening", .text(error.sentence))])
            _ = stopped.wait(timeout: .now() + .milliseconds(Self.pauseMs))
        }
    }
}
