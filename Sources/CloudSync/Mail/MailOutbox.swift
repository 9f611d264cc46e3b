import Net
import Postgres

/// Sends the mails that transactions have enqueued. Several servers may do so: each mail has a lease. A mail is sent at
/// least once. If a server stops between sending a mail and noting it, the mail is sent again.
package final class MailOutbox: Sendable {
    /// The settings of an outbox.
    package struct Settings: Sendable {
        /// The settings of all mails.
        package var message: MailMessage.Settings
        /// Lease of a mail in seconds; then another server tries it again. Must be longer than sending takes.
        package var leaseSeconds = 180
        /// Limit of attempts for a mail. All attempts end after a day.
        package var attemptsMax = 12
        /// The longest pause between attempts.
        package var pauseMaxSeconds = 3600
        /// The interval between searches for mails without a wakeup.
        package var pollMs: UInt64 = 30_000

        /// Takes the message settings; everything else is default.
        package init(message: MailMessage.Settings) { self.message = message }
    }

    private let database: CallerDatabase
    private let settings: Settings
    private let send: @Sendable (MailMessage) async throws -> Void
    private let report: @Sendable (MailEvent) -> Void

    /// Sends the mails of `database` with `send`. `send` throws if a mail can't be sent.
    package init(
        database: Database,
        settings: Settings,
        send: @escaping @Sendable (MailMessage) async throws -> Void,
        report: @escaping @Sendable (MailEvent) -> Void = { _ in }
    ) {
        self.database = CallerDatabase(database)
        self.settings = settings
        self.send = send
        self.report = report
    }

    /// Sends mails until the task is cancelled. A cancelled attempt does not count. `failed` receives errors of the
    /// search for mails.
    package func work(waking wakeup: Wakeup, failed: @Sendable (any Error) -> Void = { _ in }) async {
        while !Task.isCancelled {
            // Two `do` blocks: if an account's events can't be read, other mails must not wait.
            do { while try await enqueueEvents() {} } catch { failed(error) }
            do { if try await sendNext() { continue } } catch { failed(error) }
            if !Task.isCancelled { await wakeup.wait(forMs: settings.pollMs) }
        }
    }

    /// Enqueues the due mails about one account's security events. Returns true if there was such an account.
    @discardableResult
    package func enqueueEvents() async throws -> Bool {
        try await database.background(MailSQL.enqueueEvents()).first == true
    }

    /// Sends the next mail that is due. Returns false if there was none.
    @discardableResult
    package func sendNext() async throws -> Bool {
        let token = try MailedToken()
        let claim = MailSQL.claim(.bytes(token.hash), .int(settings.leaseSeconds))
        guard let mail = try await database.background(claim).first else { return false }
        guard let lease = mail.lease, let form = mail.form else { return true }
        let end = try await attempt(mail, form, token)
        try await store(end, of: [.text(mail.id), .text(lease)])
        report(MailEvent(form: form, attempts: mail.attempts, end: end))
        return true
    }

    private func attempt(_ mail: ClaimedMail, _ form: MailForm, _ token: MailedToken) async throws -> MailEvent.End {
        guard let recipient = mail.recipient.flatMap(MailAddress.init) else {
            return .dead(reason: "the address can't be written in a mail")
        }
        let secret = mail.expiresAt.map { (text: token.text, expiresAt: $0) }
        let cause = mail.happenedAt.map { MailCause(at: $0, device: mail.device, address: mail.client) }
        do {
            try await send(MailMessage(form, to: recipient, token: secret, cause: cause, settings.message))
            return .sent
        } catch {
            if Task.isCancelled { return .interrupted }
            return mail.attempts < settings.attemptsMax ? .postponed(reason: "\(error)") : .dead(reason: "\(error)")
        }
    }

    private func store(_ end: MailEvent.End, of held: [Parameter]) async throws {
        switch end {
        case .sent, .dead: _ = try await database.background(MailSQL.end(held))
        case .postponed: _ = try await database.background(MailSQL.postpone(held + [.int(settings.pauseMaxSeconds)]))
        case .interrupted: _ = try await database.background(MailSQL.release(held))
        }
    }
}

/// The outcome of an attempt to send a mail. Never contains the address or the token.
package struct MailEvent: Sendable {
    /// The kind of outcome.
    package enum End: Sendable {
        /// The program accepted the mail.
        case sent
        /// The mail will be tried again.
        case postponed(reason: String)
        /// The mail is given up.
        case dead(reason: String)
        /// The server is stopping.
        case interrupted
    }

    /// The kind of the mail.
    package let form: MailForm
    /// The number of attempts so far.
    package let attempts: Int
    /// The outcome.
    package let end: End
}
