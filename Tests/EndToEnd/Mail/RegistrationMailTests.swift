import TestSupport
import Testing

@Suite("Registration with confirmation by mail", .blocking)
struct RegistrationMailTests {
    @Test("A registration gets 202 and a mail with a token, and logs in after the confirmation only")
    func confirmed() throws {
        let scene = try MailScene.shared.get()
        let email = "Ada.\(Device.newEmail())"
        let answer = try scene.register(email)
        #expect(answer.status == 202 && answer.text == "{}")
        #expect(try scene.logIn(email, "not the password") == "401 credentials-invalid")
        #expect(try scene.logIn(email) == "403 email-unverified")
        let mail = try scene.post.arrival(to: email)
        #expect(mail.arguments == "-i -t -f cloud@example.org")
        #expect(mail.subject == "Confirm your e-mail address")
        #expect(mail.field("From") == "NeuroViews Cloud <cloud@example.org>")
        #expect(mail.field("Auto-Submitted") == "auto-generated")
        #expect(mail.token("verify").utf8.count == 43)
        #expect(try scene.server.sql("SELECT 1 FROM users WHERE email = '\(email)'").isEmpty)
        #expect(try scene.verify(mail.token("verify")) == "204")
        #expect(try scene.logIn(email.uppercased()) == "200")
        #expect(try scene.verify(mail.token("verify")) == "403 email-token-invalid")
        #expect(try scene.server.sql("SELECT email FROM users WHERE lower(email) = '\(email.lowercased())'") == [email])
    }

    @Test("A registration of an address with an account gets the same answer, and a mail without a token")
    func taken() throws {
        let scene = try MailScene.shared.get()
        let (owner, newcomer) = (try scene.device(), Device.newEmail())
        let answers = try [owner.email, newcomer].map { try scene.register($0, "somebody else's password") }
        #expect(answers[0].status == 202 && answers[0].text == answers[1].text)
        #expect(try scene.enqueued(owner.email) == scene.enqueued(newcomer))
        let mail = try scene.post.arrival(to: owner.email)
        #expect(mail.subject == "You already have an account")
        #expect(!mail.body.contains("#"))
        #expect(try scene.logIn(owner.email) == "200")
        // The newly registered password does not reveal the existing account, either.
        for email in [owner.email, newcomer] {
            #expect(try scene.logIn(email, "somebody else's password") == "403 email-unverified")
            #expect(try scene.logIn(email, "a third password") == "401 credentials-invalid")
        }
        #expect(try owner.pull().status == 200)
    }

    /// Two people register one address. `isFirst` is true if the squatter registers first.
    @Test(
        "The reader of the mail sets the password, also after a squatter registered the address",
        arguments: [true, false]
    )
    func squatter(isFirst: Bool) throws {
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        let (squatted, own) = ("password of the squatter", "password of the owner")
        #expect(try scene.register(email, isFirst ? squatted : own).status == 202)
        let first = try scene.post.arrival(to: email)
        #expect(try scene.register(email.uppercased(), isFirst ? own : squatted).status == 202)
        let second = try scene.post.arrival(to: email.uppercased())
        #expect(second.subject == "Choose your password")
        // Neither mail activates a password from before the mail.
        for token in [first.token("verify"), second.token("reset")] {
            #expect(try scene.verify(token) == "403 email-token-invalid")
        }
        for password in [squatted, own] { #expect(try scene.logIn(email, password) != "200") }
        #expect(try scene.reset(second.token("reset"), own).status == 204)
        #expect(try scene.logIn(email, own) == "200")
        #expect(try scene.logIn(email, squatted) == "401 credentials-invalid")
        #expect(try scene.verify(first.token("verify")) == "403 email-token-invalid")
    }

    @Test("Concurrent confirmations of one address create one account")
    func race() async throws {
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        _ = try scene.register(email)
        let token = try scene.post.arrival(to: email).token("verify")
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try scene.verify(token) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(verdicts.filter { $0 == "204" }.count == 1)
        #expect(verdicts.filter { $0 == "403 email-token-invalid" }.count == 7)
        #expect(try scene.server.sql("SELECT count(*) FROM users WHERE email = '\(email)'") == ["1"])
    }

    @Test("An address gets three registration mails an hour; more registrations change nothing")
    func limit() throws {
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        for index in 0..<6 { #expect(try scene.register(email, "password number \(index)").text == "{}") }
        try scene.awaitSent()
        let mails = try scene.post.mails(to: email)
        #expect(mails.count == 3)
        #expect(try scene.enqueued(email).count == 3)
        #expect(try scene.logIn(email, "password number 2") == "403 email-unverified")
        #expect(try scene.logIn(email, "password number 5") == "401 credentials-invalid")
        let token = try #require(mails.map { $0.token("reset") }.first { !$0.isEmpty })
        #expect(try scene.reset(token, "chosen by the owner").status == 204)
    }

    @Test("A reset confirms an address that was only registered")
    func resetBefore() throws {
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        _ = try scene.register(email)
        try scene.post.arrival(to: email)
        #expect(try scene.askForReset(email).status == 202)
        let mail = try scene.post.arrival(2, to: email)
        #expect(mail.subject == "Choose your password")
        #expect(try scene.reset(mail.token("reset"), "chosen by the owner").status == 204)
        #expect(try scene.logIn(email, "chosen by the owner") == "200")
    }

    @Test("An expired registration token is refused")
    func expired() throws {
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        _ = try scene.register(email)
        let mail = try scene.post.arrival(to: email)
        try scene.server.sql("UPDATE mailed_tokens SET expires_at = now() WHERE email = '\(email)'")
        #expect(try scene.verify(mail.token("verify")) == "403 email-token-invalid")
        #expect(try scene.logIn(email) == "403 email-unverified")
    }

    @Test("An account made by the operator invalidates a pending registration of its address")
    func operatorFirst() throws {
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        _ = try scene.register(email, "somebody else's password")
        let mail = try scene.post.arrival(to: email)
        let device = try scene.device(email)
        #expect(try scene.verify(mail.token("verify")) == "403 email-token-invalid")
        #expect(try scene.logIn(email, "somebody else's password") == "401 credentials-invalid")
        #expect(try device.pull().status == 200)
    }

    @Test("Mail to an internationalised domain goes to its A-labels, and addresses with header syntax are refused")
    func addresses() throws {
        let scene = try MailScene.shared.get()
        let local = "josé.\(Device.newEmail().prefix { $0 != "@" })"
        #expect(try scene.register(" \(local)@exämple.org ").status == 202)
        let mail = try scene.post.arrival(to: "\(local)@xn--exmple-cua.org")
        #expect(mail.subject == "Confirm your e-mail address")
        for bad in [
            "a,b@example.org", #"\"a\"@example.org"#, "<a>@example.org", "a@[127.0.0.1]", "mi\u{212A}e@example.org",
            "a%b@example.org", "a!b@example.org", "|a@example.org", "/a@example.org", "root@localhost",
        ] {
            let answer = try scene.register(bad)
            #expect(answer.verdict == "422 invalid-document", "\(bad)")
            #expect(answer.objects("errors").map { $0["pointer"] as? String } == ["/email"])
        }
    }
}
