import Foundation
import TestSupport
import Testing

@Suite("Resetting the password by mail", .blocking)
struct PasswordResetTests {
    private static let new = "another one for the shelf"

    @Test("A reset token sets the password once, ends every session and invalidates the account's other tokens")
    func resets() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        let tablet = try phone.other()
        #expect(try scene.askForReset(phone.email.uppercased()).text == "{}")
        let first = try scene.post.arrival(to: phone.email)
        #expect(try scene.askForReset(phone.email).status == 202)
        let second = try scene.post.arrival(2, to: phone.email)
        #expect(second.subject == "Reset your password")
        #expect(try phone.pull().status == 200)
        #expect(try scene.reset(second.token("reset"), Self.new).status == 204)
        for device in [phone, tablet] { #expect(try device.pull().verdict == "401 session-ended") }
        for mail in [first, second] {
            #expect(try scene.reset(mail.token("reset"), "yet another one").verdict == "403 email-token-invalid")
        }
        #expect(try scene.logIn(phone.email) == "401 credentials-invalid")
        #expect(try scene.logIn(phone.email, Self.new) == "200")
    }

    @Test("A refused password does not use the reset token up, and the violation names its member")
    func refused() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        _ = try scene.askForReset(device.email)
        let token = try scene.post.arrival(to: device.email).token("reset")
        for bad in ["short", device.email.uppercased(), "          "] {
            let answer = try scene.reset(token, bad)
            #expect(answer.verdict == "422 invalid-document")
            #expect(answer.objects("errors").map { $0["pointer"] as? String } == ["/new_password"])
        }
        #expect(try device.pull().status == 200)
        #expect(try scene.reset(token, Self.new).status == 204)
    }

    @Test("Reset requests for known and unknown addresses look alike; only a known address gets mail")
    func alike() throws {
        let scene = try MailScene.shared.get()
        let (known, unknown) = (try scene.device().email, Device.newEmail())
        let answers = try [known, unknown].map { try scene.askForReset($0) }
        #expect(answers.map(\.status) == [202, 202])
        #expect(answers[0].text == answers[1].text)
        #expect(answers[0].fields.map(\.name) == answers[1].fields.map(\.name))
        #expect(try scene.enqueued(known) == scene.enqueued(unknown))
        #expect(try scene.enqueued(known) == ["reset|t|t"])
        try scene.awaitSent()
        #expect(try scene.post.mails(to: known).count == 1)
        #expect(try scene.post.mails(to: unknown).isEmpty)
        #expect(try scene.server.sql("SELECT 1 FROM mailed_tokens WHERE email = '\(unknown)'").isEmpty)
    }

    @Test("An address gets three reset mails an hour, also after concurrent requests with equal answers")
    func limit() async throws {
        let scene = try MailScene.shared.get()
        let email = try scene.device().email
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<12 {
                group.addTask { try scene.askForReset(index.isMultiple(of: 2) ? email : email.uppercased()).text }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(answers) == ["{}"])
        #expect(try scene.enqueued(email).count == 3)
        try scene.awaitSent()
        #expect(try scene.post.mails(to: email).count == 3)
        try scene.server.sql(
            "UPDATE mails SET created_at = now() - interval '61 minutes' WHERE lower(email) = '\(email)'"
        )
        _ = try scene.askForReset(email)
        try scene.post.arrival(4, to: email)
    }

    @Test("The limit of reset requests counts those that another server has not committed yet")
    func limitOfTwo() throws {
        let scene = try MailScene.shared.get()
        let email = try scene.device().email
        let ask = "SELECT neuroviews.enqueue_mail('reset', '\(email)')"
        let blocker = try Blocker(scene.server, "\(ask); \(ask)")
        let asking = (0..<2).map { _ in Thread { _ = try? scene.askForReset(email) } }
        for thread in asking { thread.start() }
        try Deadline.wait("a request that waits", seconds: 30) { try blocker.isWaitedFor() }
        try blocker.commit("SELECT")
        try Deadline.wait("two answers", seconds: 30) { asking.allSatisfy(\.isFinished) }
        #expect(try scene.enqueued(email).count == 3)
    }

    @Test("One reset token used eight times at once sets one password")
    func race() async throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        _ = try scene.askForReset(device.email)
        let token = try scene.post.arrival(to: device.email).token("reset")
        let winners = try await withThrowingTaskGroup(of: String?.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let answer = try scene.reset(token, "password number \(index)")
                    if answer.status != 204 { #expect(answer.verdict == "403 email-token-invalid") }
                    return answer.status == 204 ? "password number \(index)" : nil
                }
            }
            return try await group.reduce(into: [String]()) { if let password = $1 { $0.append(password) } }
        }
        #expect(winners.count == 1)
        #expect(try scene.logIn(device.email, winners.first ?? "") == "200")
    }

    @Test("A reset mail goes to the stored address, not to the typed spelling")
    func typedOtherwise() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        let typed = device.email.uppercased()
        #expect(try scene.askForReset(typed).status == 202)
        try scene.awaitSent()
        #expect(try scene.post.mails(to: typed).isEmpty)
        #expect(try scene.post.mails(to: device.email).count == 1)
    }

    @Test("A mailed token is valid for its purpose only, and expires")
    func purposes() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        _ = try scene.askForReset(device.email)
        let token = try scene.post.arrival(to: device.email).token("reset")
        #expect(try scene.verify(token) == "403 email-token-invalid")
        let both = Device.newEmail()
        #expect(try scene.register(both).status == 202)
        let invitation = try Operator.succeed(["invite", both, "--data", scene.server.data])
        let last = invitation.split(separator: "\n").last.map(String.init) ?? ""
        #expect(try scene.verify(last) == "403 email-token-invalid")
        // A reader of the mail to an account's new address can't reset the account's password.
        let new = Device.newEmail()
        _ = try scene.askForAddress(new, device)
        let address = try scene.post.arrival(to: new).token("verify")
        #expect(try scene.reset(address, Self.new).verdict == "403 email-token-invalid")
        let invited = try scene.send(
            "/auth/register",
            ["email": Device.newEmail(), "password": Self.new, "invitation": token]
        )
        #expect(invited.verdict == "403 invitation-invalid")
        try scene.server.sql("UPDATE mailed_tokens SET expires_at = now() WHERE email = '\(device.email)'")
        #expect(try scene.reset(token, Self.new).verdict == "403 email-token-invalid")
        #expect(try scene.reset("anything", Self.new).verdict == "403 email-token-invalid")
        #expect(try device.pull().status == 200)
    }

    @Test("After a reset, only the address of the reset is a known place of the account")
    func places() throws {
        let scene = try MailScene(["--registration", "open", "--trusted-proxies", "127.0.0.1"], hasAttemptLimits: true)
        let email = try scene.device().email
        let thief = Visitor(client: scene.server.client, address: "203.0.113.66")
        #expect(try thief.logIn(email, device: "thief").status == 200)
        _ = try scene.askForReset(email)
        let token = try scene.post.arrival(to: email).token("reset")
        let body = MailScene.json(["token": token, "new_password": Self.new])
        let home = [("X-Forwarded-For", "198.51.100.7")]
        #expect(
            try scene.server.client.send("POST", "/v2/auth/password-reset/confirm", home, body: body).status == 204
        )
        for number in 0..<10 { #expect(try thief.at("10.0.0.\(number)").guess(email).status == 401) }
        #expect(try thief.guess(email).status == 429)
        #expect(try thief.guess(email, device: "thief").status == 429)
        #expect(try thief.at("198.51.100.7").logIn(email, Self.new, device: "new phone").status == 200)
    }

    @Test("A change of the password invalidates the reset tokens mailed before")
    func changed() throws {
        let scene = try MailScene.shared.get()
        let device = try scene.device()
        _ = try scene.askForReset(device.email)
        let token = try scene.post.arrival(to: device.email).token("reset")
        let change = MailScene.json(["current_password": MailScene.password, "new_password": Self.new])
        #expect(try device.send("POST", "/v2/auth/password", body: change).status == 200)
        #expect(try scene.reset(token, "a password of the thief").verdict == "403 email-token-invalid")
        #expect(try scene.logIn(device.email, Self.new) == "200")
    }

    @Test("Reset requests are limited by client address, and logins of unconfirmed addresses count as failures")
    func attempts() throws {
        let scene = try MailScene([
            "--registration", "open", "--registrations-per-address-max", "3", "--login-failures-max", "2",
        ])
        let email = Device.newEmail()
        _ = try scene.register(email)
        for _ in 0..<3 { #expect(try scene.askForReset(Device.newEmail()).status == 202) }
        let refused = try scene.askForReset(email)
        #expect(refused.verdict == "429 rate-limited")
        #expect(refused.field("ratelimit-policy")?.hasPrefix("\"reset\";q=3;w=3600") == true)
        #expect(try scene.enqueued(email).count == 1)
        for _ in 0..<2 { #expect(try scene.logIn(email) == "403 email-unverified") }
        #expect(try scene.logIn(email) == "429 rate-limited")
    }

    @Test("A reset on a server without a program for mails is refused by name")
    func unavailable() throws {
        let device = try Shared.newDevice()
        let reset = #"{"email":"\#(device.email)"}"#
        let answer = try device.client.send("POST", "/v2/auth/password-reset", body: reset)
        Problems.check(answer, "403 mail-unavailable")
        let change = MailScene.json(["email": Device.newEmail(), "password": Device.password])
        Problems.check(try device.send("POST", "/v2/account/email", body: change), "403 mail-unavailable")
    }
}
