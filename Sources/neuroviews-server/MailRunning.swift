import CloudSync
import Net

/// Sends mails, from the start of the server to its end.
final class MailRunning: Sendable {
    private let backend: Backend
    private let sendmail: Sendmail
    /// Each mail keeps a thread until the program has ended.
    private let pool: BlockingPool
    private let workers: [Task<Void, Never>]

    /// One program that hangs does not keep the others' mails waiting.
    private static let workersCount = 2

    /// Nil when no program for mails is set.
    init?(_ backend: Backend, _ settings: Settings, events: EventCounts, _ log: LogWriter) throws {
        guard let sendmail = settings.mailProgram, let message = settings.messageSettings else { return nil }
        let pool = try BlockingPool(threads: Self.workersCount, queueMax: Self.workersCount)
        (self.backend, self.sendmail, self.pool) = (backend, sendmail, pool)
        let outbox = MailOutbox(
            database: backend.database,
            settings: MailOutbox.Settings(message: message),
            send: { message in try await pool.run { try sendmail.send(message) } },
            report: {
                events.add($0)
                log.write($0)
            }
        )
        workers = (0..<Self.workersCount).map { _ in
            backend.loops[0].spawn {
                await outbox.work(waking: backend.mailsWaiting) {
                    log.write(.error, "mails", [("failed", .text("\($0)"))])
                }
            }
        }
    }

    /// Gives back what could not be sent. Blocks until the workers have ended.
    func stop() {
        for worker in workers { worker.cancel() }
        sendmail.stop()
        backend.mailsWaiting.signal()
        try? backend.wait { [workers] _ in for worker in workers { await worker.value } }
        pool.stop()
    }
}

extension Settings {
    /// What sends mails; nil where none is set.
    var mailProgram: Sendmail? {
        guard let sendmail, let mailFrom else { return nil }
        return Sendmail(sendmail, sender: mailFrom)
    }

    /// What all mails have in common; nil where none is sent.
    var messageSettings: MailMessage.Settings? {
        mailFrom.map { MailMessage.Settings(sender: $0, accountURL: accountURL) }
    }
}
