import Credentials
import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Wrong second factors", .blocking)
struct WrongFactorTests {
    @Test("Wrong second factors of an hour are one security event with a count, from all operations")
    func event() throws {
        let app = try AuthenticatorApp.new()
        let challenge = try app.challenge()
        #expect(try app.finish(challenge, code: app.wrongCode).verdict == "401 code-invalid")
        #expect(try app.finish(challenge, recoveryCode: "aaaa-aaaa-aaaa-aaaa").verdict == "401 code-invalid")
        let wrong = #"{"code":"\#(app.wrongCode)"}"#
        for (method, path) in [("POST", "/v2/auth/confirm"), ("DELETE", "/v2/account/totp")] {
            #expect(try app.device.send(method, path, body: wrong).verdict == "401 code-invalid", "\(path)")
        }
        try app.update("failures = 20, failures_since = now()")
        #expect(try app.device.send("POST", "/v2/auth/confirm", body: wrong).verdict == "429 too-many-codes")
        #expect(try app.finish(challenge, code: app.freshCode()).verdict == "429 too-many-codes")
        // Another hour may have begun in between.
        let failed = try app.device.accountEvents().objects("events").filter {
            $0["kind"] as? String == "second-factor-failed"
        }
        #expect(failed.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 6 && failed.count <= 2)
        #expect(failed.allSatisfy { $0["address"] as? String == "127.0.0.1" })
        // A right code is no failure, and neither is the same code on a second device.
        let other = try AuthenticatorApp.new()
        let code = try other.freshCode()
        for verdict in ["200", "401 code-invalid"] {
            #expect(try other.finish(other.challenge(), code: code).verdict == verdict)
        }
        #expect(try !other.device.accountEvents().members("kind", of: "events").contains("second-factor-failed"))
    }

    @Test("The first wrong second factor of an hour is mailed")
    func mail() throws {
        let scene = try MailScene.shared.get()
        let phone = try scene.device()
        let begun = try phone.send("POST", "/v2/account/totp")
        let totp = TOTP(secret: try #require(Base32.decode(begun.string("secret"))))
        let code = AuthenticatorApp.code(of: totp)
        #expect(try phone.send("POST", "/v2/account/totp/confirm", body: #"{"code":"\#(code)"}"#).status == 200)
        let app = AuthenticatorApp(device: phone, totp: totp, recoveryCodes: [])
        for _ in 0..<3 {
            let body = #"{"code":"\#(app.wrongCode)"}"#
            #expect(try phone.send("POST", "/v2/auth/confirm", body: body).verdict == "401 code-invalid")
        }
        _ = try scene.askForReset(Device.newEmail())
        try Deadline.wait("two mails", seconds: 30) { try scene.post.news(to: phone.email).count >= 2 }
        try scene.awaitSent()
        let subjects = try scene.post.news(to: phone.email).map(\.subject)
        // If a new hour has begun in between, there are two mails about wrong codes.
        #expect(Set(subjects) == ["An authenticator app was added", "A wrong code was entered"])
        #expect(subjects.count <= 3)
    }
}
