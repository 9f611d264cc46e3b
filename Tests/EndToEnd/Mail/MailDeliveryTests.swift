import Foundation
import TestSupport
import Testing

@Suite("A failing program for mails", .blocking)
struct MailDeliveryTests {
    private func outcomes(_ server: ServerProcess, _ end: String) throws -> String? {
        let text = try server.adminClient.send("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix("neuroviews_mails_total{outcome=\"\(end)\"}") }
        return line?.split(separator: " ").last.map(String.init)
    }

    @Test("A failing program for mails changes no answer, logs no secret, and the mail is sent later")
    func fails() throws {
        let scene = try MailScene()
        try scene.post.begin(.fail)
        let email = Device.newEmail()
        #expect(try scene.register(email).status == 202)
        try scene.awaitPostponed(email)
        try scene.server.awaitLog("ended with status 75")
        #expect(scene.server.log.contains("ended with status 75: To: …"))
        #expect(!scene.server.log.contains(email))
        #expect(try outcomes(scene.server, "postponed") == "1")
        try scene.post.end(.fail)
        try scene.passTime()
        let mail = try scene.post.arrival(to: email)
        #expect(try scene.verify(mail.token("verify")) == "204")
        try scene.awaitSent()
        #expect(try outcomes(scene.server, "sent") == "1")
    }

    @Test("A missing program for mails changes no answer, and the log names it")
    func missing() throws {
        let server = try ServerProcess([
            "--registration", "open", "--media-jobs", "0", "--sendmail", "/nowhere/sendmail", "--mail-from", "a@b.org",
        ])
        let answer = try Device.register(server.client, Device.newEmail())
        #expect(answer.status == 202)
        try server.awaitLog("cannot run /nowhere/sendmail")
    }

    @Test("With sendmail=log the log has what a mail would open, and it works")
    func logged() throws {
        let server = try ServerProcess(["--registration", "open", "--media-jobs", "0", "--sendmail", "log"])
        let email = Device.newEmail()
        #expect(try Device.register(server.client, email).status == 202)
        try server.awaitLog("mail in the log to=\(email)")
        let token = try #require(server.log.firstMatch(of: /open=(\S+)/)).1
        let answer = try server.client.send(
            "POST",
            "/v2/auth/email/verify",
            body: MailScene.json(["token": String(token)])
        )
        #expect(answer.status == 204)
    }

    @Test("A program for mails that hangs delays neither other mails nor the end of the server")
    func hangs() throws {
        let scene = try MailScene()
        try scene.post.begin(.hang)
        let (stuck, next) = (Device.newEmail(), Device.newEmail())
        #expect(try scene.register(stuck).status == 202)
        try Deadline.wait("a program that hangs", seconds: 30) { try !scene.post.hanging().isEmpty }
        try scene.post.end(.hang)
        #expect(try scene.register(next).status == 202)
        try scene.post.arrival(to: next)
        #expect(try scene.server.stop() == 0)
        try scene.server.start()
        // The stopped server released the attempt. So the mail does not wait for the end of the attempt's lease.
        let mail = try scene.post.arrival(to: stuck)
        #expect(try scene.verify(mail.token("verify")) == "204")
    }

    @Test("A server that is killed between the answer and the mail loses no mail")
    func killed() throws {
        let scene = try MailScene()
        try scene.post.begin(.kill)
        let email = Device.newEmail()
        // The answer may be lost with the server.
        _ = try? scene.register(email)
        #expect(try scene.server.awaitEnd() == 128 + SIGKILL)
        #expect(!scene.post.isDue(.kill))
        #expect(try scene.post.mails(to: email).isEmpty)
        try scene.server.start()
        #expect(try scene.logIn(email) == "403 email-unverified")
        #expect(try scene.server.sql("SELECT attempts FROM mails WHERE email = '\(email)' AND run_at > now()") == ["1"])
        try scene.passTime()
        let mail = try scene.post.arrival(to: email)
        #expect(try scene.verify(mail.token("verify")) == "204")
        #expect(try scene.logIn(email) == "200")
    }

    @Test("A mailed token is in the database only after its mail is sent, and only as a hash")
    func noToken() throws {
        let scene = try MailScene.shared.get()
        let email = Device.newEmail()
        _ = try scene.register(email)
        let token = try scene.post.arrival(to: email).token("verify")
        let rows = try scene.server.sql(
            "SELECT m::text FROM mails m WHERE email = '\(email)' UNION ALL SELECT t::text FROM mailed_tokens t WHERE email = '\(email)'"
        )
        #expect(rows.count == 2 && !rows.contains { $0.contains(token) })
    }
}
