import TestSupport

/// A server that sends mails, with the requests of its users.
struct MailScene: Sendable {
    let post: PostOffice
    let server: ServerProcess

    /// A shared scene, for tests that change neither the script's behaviour nor the server.
    static let shared = Result { try MailScene() }

    init(_ arguments: [String] = ["--registration", "open"], hasAttemptLimits: Bool = false) throws {
        post = try PostOffice()
        let usual = ["--signatures", "optional", "--media-jobs", "0"]
        server = try ServerProcess(arguments + usual + post.arguments, hasAttemptLimits: hasAttemptLimits)
    }

    static let password = Device.password

    func send(_ path: String, _ members: [String: String]) throws -> HTTPAnswer {
        try server.client.send("POST", "/v2" + path, body: Self.json(members))
    }

    static func json(_ members: [String: String]) -> String {
        "{" + members.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
    }

    func register(_ email: String, _ password: String = password) throws -> HTTPAnswer {
        try send("/auth/register", ["email": email, "password": password])
    }

    func logIn(_ email: String, _ password: String = password) throws -> String {
        try send("/auth/login", ["email": email, "password": password]).verdict
    }

    func verify(_ token: String) throws -> String { try send("/auth/email/verify", ["token": token]).verdict }

    func askForReset(_ email: String) throws -> HTTPAnswer { try send("/auth/password-reset", ["email": email]) }

    func reset(_ token: String, _ password: String) throws -> HTTPAnswer {
        try send("/auth/password-reset/confirm", ["token": token, "new_password": password])
    }

    func askForAddress(_ email: String, _ device: Device, _ password: String = password) throws -> String {
        try device.send("POST", "/v2/account/email", body: Self.json(["email": email, "password": password])).verdict
    }

    /// A device of an account that the operator's command created.
    func device(_ email: String = Device.newEmail()) throws -> Device {
        let added = try Program.run(
            [Program.server, "user", "add", email, "--data", server.data],
            input: Self.password
        )
        guard added.status == 0 else { throw Program.Failure(added.complaint) }
        return try Device.logIn(server.client, email)
    }

    /// The enqueued mails to an address, as SQL rows without ids and times.
    func enqueued(_ email: String) throws -> [String] {
        try server.sql(
            "SELECT kind, account IS NULL, email = '\(email)' FROM mails WHERE lower(email) = lower('\(email)') ORDER BY created_at"
        )
    }

    /// Waits until all mails are sent.
    func awaitSent() throws {
        try Deadline.wait("an empty outbox", seconds: 30) {
            try server.sql("SELECT count(*) FROM mails WHERE ended_at IS NULL") == ["0"]
        }
    }

    /// Waits until a mail to an address has been tried and postponed.
    func awaitPostponed(_ email: String) throws {
        try Deadline.wait("an attempt", seconds: 30) {
            try server.sql("SELECT 1 FROM mails WHERE email = '\(email)' AND attempts > 0 AND lease IS NULL").count == 1
        }
    }

    /// Makes every unsent mail due now. A further mail wakes the senders.
    func passTime() throws {
        try server.sql("UPDATE mails SET run_at = now() - interval '1 second' WHERE ended_at IS NULL")
        _ = try askForReset(Device.newEmail())
    }
}
