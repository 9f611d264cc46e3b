import Net
import Postgres

/// Sends the mails that transactions have enqueued. Any number of servers may: each mail has a lease. A mail is sent at least once: a server that
/// ends between sending it and noting so leaves it to be sent again.
public final class MailOutbox: Sendable {
    /// What can be set.
    public struct Settings: Sendable {
        /// What all mails have in common.
        public var message: MailMessage.Settings
        /// How long a server may take for a mail before another begins it again: more than sending may take.
        public var leaseSeconds = 180
        /// How often a mail is tried, within a day.
        public var attemptsMax = 12
        /// The longest pause before the next attempt.
        public var pauseMaxSeconds = 3600
        /// How often it is looked for mails without being asked to.
        public var pollMs: UInt64 = 30_000

        /// The defaults.
        public init(message: MailMessage.Settings) { self.message = message }
    }

    private let database: CallerDatabase
    private let settings: Settings
    private let send: @Sendable (MailMessage) async throws -> Void
    private let report: @Sendable (MailEvent) -> Void

    /// Sends the mails of `database` by `send`, which throws what keeps a mail from being sent.
    public init(
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

    /// Sends mails until the task is cancelled. An attempt that is cancelled is given back. `failed` gets what keeps it from looking for mails.
    public func work(waking wakeup: Wakeup, failed: @Sendable (any Error) -> Void = { _ in }) async {
        while !Task.isCancelled {
            // Each on its own: an account whose events can't be read keeps no other mail waiting.
            do { while try await enqueueEvents() {} } catch { failed(error) }
            do { if try await sendNext() { continue } } catch { failed(error) }
            if !Task.isCancelled { await wakeup.wait(forMs: settings.pollMs) }
        }
    }

    /// Makes the mails about security events of an account that are due. Returns whether there was such an account.
    @discardableResult
    public func enqueueEvents() async throws -> Bool {
        try await database.background(MailSQL.enqueueEvents()).first == true
    }

    /// Sends the next mail that is due. Returns whether there was one.
    @discardableResult
    public func sendNext() async throws -> Bool {
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
        do {
            try await send(MailMessage(form, to: recipient, token: secret, settings.message))
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

/// How an attempt at a mail ended. Never has the address or the token.
public struct MailEvent: Sendable {
    /// The end.
    public enum End: Sendable {
        /// The program took it.
        case sent
        /// It is tried again.
        case postponed(reason: String)
        /// It is given up.
        case dead(reason: String)
        /// The server is stopping.
        case interrupted
    }

    /// What the mail says.
    public let form: MailForm
    /// How often it was begun.
    public let attempts: Int
    /// How it ended.
    public let end: End
}
