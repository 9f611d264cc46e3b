import TestSupport
import Testing

@Suite("Invitations", .blocking)
struct InvitationTests {
    /// A server that accepts registrations by invitation, and sends no mail.
    private static let server = Result {
        try ServerProcess(["--registration", "invitation", "--signatures", "optional", "--media-jobs", "0"])
    }

    private func invite(_ email: String, _ server: ServerProcess, _ arguments: [String] = []) throws -> Program {
        try Program.run([Program.server, "invite", email, "--data", server.data] + arguments)
    }

    /// The token that the command prints alone on its last line.
    private func token(_ email: String) throws -> String {
        let program = try invite(email, Self.server.get())
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return program.output.split(separator: "\n").last.map(String.init) ?? ""
    }

    private func register(_ email: String, _ invitation: String?, _ server: ServerProcess) throws -> HTTPAnswer {
        var members = ["email": email, "password": Device.password]
        members["invitation"] = invitation
        return try server.client.send("POST", "/v2/auth/register", body: MailScene.json(members))
    }

    private func register(_ email: String, _ invitation: String?) throws -> String {
        try register(email, invitation, Self.server.get()).verdict
    }

    @Test("An invited address gets its account at once, in any letter case, and uses up the invitation")
    func accepted() throws {
        let email = Device.newEmail()
        let invitation = try token(email)
        #expect(try register(email, nil) == "403 invitation-required")
        let answer = try register(email.uppercased(), invitation, Self.server.get())
        #expect(answer.status == 201)
        #expect((answer.json["user"] as? [String: Any])?["email"] as? String == email)
        #expect(try Device.logIn(Self.server.get().client, email).pull().status == 200)
        #expect(try register(Device.newEmail(), invitation) == "403 invitation-invalid")
    }

    @Test("A wrong, foreign, expired or replaced invitation is refused")
    func refused() throws {
        let email = Device.newEmail()
        let replaced = try token(email)
        let invitation = try token(email)
        #expect(try register(email, "anything") == "403 invitation-invalid")
        #expect(try register(email, replaced) == "403 invitation-invalid")
        #expect(try register(Device.newEmail(), invitation) == "403 invitation-invalid")
        let server = try Self.server.get()
        try server.sql("UPDATE mailed_tokens SET expires_at = now() WHERE email = '\(email)'")
        #expect(try register(email, invitation) == "403 invitation-invalid")
    }

    @Test("A refused password does not use the invitation up")
    func badPassword() throws {
        let (server, email) = (try Self.server.get(), Device.newEmail())
        let invitation = try token(email)
        let body = MailScene.json(["email": email, "password": email, "invitation": invitation])
        let answer = try server.client.send("POST", "/v2/auth/register", body: body)
        #expect(answer.verdict == "422 invalid-document")
        #expect(try register(email, invitation) == "201")
    }

    @Test("Eight concurrent registrations with one invitation create one account")
    func race() async throws {
        let email = Device.newEmail()
        let invitation = try token(email)
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try register(email, invitation) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(verdicts.filter { $0 == "201" }.count == 1)
        #expect(verdicts.filter { $0 == "403 invitation-invalid" }.count == 7)
    }

    @Test("An invitation's token is stored as a hash, and the trail has the command")
    func hashed() throws {
        let email = Device.newEmail()
        let server = try ServerProcess(["--registration", "invitation", "--media-jobs", "0"])
        let trail = "SELECT count(*) FROM operator_actions WHERE action = 'invite' AND account IS NULL"
        #expect(try server.sql(trail) == ["0"])
        let program = try invite(email, server)
        let invitation = try #require(program.output.split(separator: "\n").last)
        let stored = try server.sql(
            "SELECT token_hash = sha256('\(invitation)') FROM mailed_tokens WHERE email = '\(email)'"
        )
        #expect(stored == ["t"])
        #expect(try server.sql(trail) == ["1"])
    }

    @Test("An address with an account is not invited")
    func member() throws {
        let email = Device.newEmail()
        #expect(try register(email, token(email)) == "201")
        #expect(try invite(email, Self.server.get()).complaint.contains("has an account already"))
        #expect(try invite("a,b@example.org", Self.server.get()).status == 65)
    }

    @Test("A closed server refuses invitations, an open one accepts them, and a server with mail mails them")
    func policies() throws {
        let closed = try Shared.strictServer.get()
        #expect(try register(Device.newEmail(), "anything", closed).verdict == "403 registration-closed")
        let hint = "registration=invitation"
        let unusable = try invite(Device.newEmail(), closed)
        #expect(unusable.status == 0 && unusable.complaint.contains(hint))
        #expect(try !invite(Device.newEmail(), closed, ["--registration", "invitation"]).complaint.contains(hint))
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        let mailed = try invite(email, scene.server, scene.post.arguments)
        #expect(mailed.status == 0 && mailed.output.hasPrefix("mailed an invitation to \(email)"))
        let mail = try scene.post.arrival(to: email)
        #expect(mail.subject == "Your invitation to NeuroViews Cloud")
        #expect(try register(email, mail.token("invitation"), scene.server).status == 201)
        #expect(try scene.logIn(email) == "200")
    }

    @Test("An invitation that can't be mailed makes the command fail")
    func notMailed() throws {
        let scene = try MailScene.shared.get()
        let failing = ["--sendmail", "/bin/false", "--mail-from", "cloud@example.org"]
        let program = try invite(Device.newEmail(), scene.server, failing)
        #expect(program.status == 69 && program.complaint.contains("/bin/false ended with status 1"))
    }
}
