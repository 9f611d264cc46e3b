import CloudSync
import Net
import Observability
import Operations
import Settings

/// Sends mails, from the server's start to its end.
final class MailRunning: Sendable {
    private let backend: Backend
    /// Nil: mails are written into the log.
    private let sendmail: Sendmail?
    /// Each mail occupies a thread until the program has ended.
    private let pool: BlockingPool
    private let workers: [Task<Void, Never>]

    /// Two workers, so that one hanging program does not delay all other mails.
    private static let workersCount = 2

    /// Returns nil if no mail is sent.
    init?(_ backend: Backend, _ settings: Settings, events: EventCounts, _ log: LogWriter) throws {
        guard let message = settings.messageSettings else { return nil }
        let sendmail = settings.mailProgram
        let pool = try BlockingPool(threads: Self.workersCount, queueMax: Self.workersCount)
        (self.backend, self.sendmail, self.pool) = (backend, sendmail, pool)
        let outbox = MailOutbox(
            database: backend.database,
            settings: MailOutbox.Settings(message: message),
            send: { message in
                guard let sendmail else { return log.write(message) }
                try await pool.run { try sendmail.send(message) }
            },
            report: {
                events.add($0)
                log.write($0)
            }
        )
        let failed = log.failure(of: "mails", in: backend.database)
        workers = (0..<Self.workersCount).map { _ in
            backend.loops[0].spawn { await outbox.work(waking: backend.mailsWaiting, failed: failed) }
        }
    }

    /// Releases unsent mails. Blocks until the workers have ended.
    func stop() {
        for worker in workers { worker.cancel() }
        sendmail?.stop()
        backend.mailsWaiting.signal()
        try? backend.wait { [workers] _ in for worker in workers { await worker.value } }
        pool.stop()
    }
}
