import Credentials
import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Login by an OpenID provider", .blocking)
struct OpenIDLoginTests {
    private func scene() throws -> OpenIDScene { try OpenIDScene.shared.get() }

    @Test("The first login of a person opens an account without a password, and the second one finds it")
    func first() throws {
        let scene = try scene()
        for issuer in [scene.google, scene.apple, scene.local] {
            let (subject, email) = (OpenIDScene.newSubject(), Device.newEmail())
            let answer = try scene.logIn(
                issuer,
                issuer.token(subject, email: email),
                #","device_id":"d","device_name":"Phone""#
            )
            #expect(answer.status == 200 && Set(answer.json.keys) == ["token", "user", "expires_at", "signing_key"])
            let device = try scene.device(answer, email)
            #expect(try device.pull().status == 200)
            #expect((answer.json["user"] as? [String: Any])?["email"] as? String == email)
            // The address has changed by now, or is missing. The server finds accounts by their subject.
            let again = try scene.logIn(issuer, issuer.token(subject))
            #expect(try scene.device(again, email).userID == device.userID)
            #expect(try device.accountEvents().members("kind", of: "events") == ["login", "login", "device-new"])
            let sessions = try device.send("GET", "/v2/auth/sessions").objects("sessions")
            #expect(
                sessions.contains { $0["device_name"] as? String == "Phone" && $0["address"] as? String == "127.0.0.1" }
            )
        }
    }

    @Test("A login by password to an account without one fails like one for an unknown address")
    func noPassword() throws {
        let scene = try scene()
        let device = try scene.newDevice(scene.apple, OpenIDScene.newSubject())
        let rows = try scene.server.sql("SELECT has_password, password_hash FROM users WHERE id = '\(device.userID)'")
        #expect(rows.first?.hasPrefix("f|$scrypt$ln=15,r=8,p=3$") == true)
        for password in ["", Device.password, String(rows.first?.dropFirst(2) ?? "")] {
            let body = MailScene.json(["email": device.email, "password": password])
            let answer = try scene.client.send("POST", "/v2/auth/login", body: body)
            let unknown = MailScene.json(["email": Device.newEmail(), "password": password])
            let other = try scene.client.send("POST", "/v2/auth/login", body: unknown)
            #expect(answer.verdict == "401 credentials-invalid" && answer.string("detail") == other.string("detail"))
        }
        let body = #"{"password":"\#(Device.password)"}"#
        #expect(try device.send("POST", "/v2/auth/confirm", body: body).verdict == "401 credentials-invalid")
    }

    @Test("A login with the address of another account is refused; its owner links the identity")
    func addressTaken() throws {
        let scene = try scene()
        let device = try Device.new(scene.client)
        let subject = OpenIDScene.newSubject()
        for email in [device.email, device.email.uppercased()] {
            let answer = try scene.logIn(scene.google, scene.google.token(subject, email: email))
            #expect(
                answer.verdict == "409 identity-not-linked" && answer.string("detail").contains("/account/identities")
            )
        }
        #expect(try scene.link(scene.google, scene.google.token(subject), by: device).status == 200)
        let answer = try scene.logIn(scene.google, scene.google.token(subject, email: device.email))
        #expect(try scene.device(answer, device.email).userID == device.userID)
    }

    @Test("An OpenID login opens an account only for an address that the provider has confirmed")
    func address() throws {
        let scene = try scene()
        let email = Device.newEmail()
        for changes: [String: String?] in [
            ["email": nil], ["email_verified": nil], ["email_verified": "false"], ["email_verified": #""false""#],
            ["email_verified": "1"], ["email": #""no address""#], ["email": #"["a@example.org"]"#],
        ] {
            let token = scene.google.token(OpenIDScene.newSubject(), email: email, changes)
            #expect(try scene.logIn(scene.google, token).verdict == "403 provider-email-unverified", "\(changes)")
        }
        #expect(try scene.server.sql("SELECT count(*) FROM users WHERE lower(email) = lower('\(email)')") == ["0"])
        let text = scene.google.token(OpenIDScene.newSubject(), email: email, ["email_verified": #""true""#])
        #expect(try scene.logIn(scene.google, text).status == 200)
    }

    @Test("The same subject at two providers gets two accounts")
    func subjects() throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let (one, other) = (try scene.newDevice(scene.google, subject), try scene.newDevice(scene.apple, subject))
        #expect(one.userID != other.userID)
    }

    @Test("The login of a disabled account gets account-disabled, and an erased account is unknown")
    func closed() throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let device = try scene.newDevice(scene.apple, subject)
        try scene.server.sql("UPDATE users SET disabled_at = now() WHERE id = '\(device.userID)'")
        #expect(try scene.logIn(scene.apple, scene.apple.token(subject)).verdict == "401 account-disabled")
        try scene.server.sql("UPDATE users SET disabled_at = NULL WHERE id = '\(device.userID)'")
        let body = scene.apple.body(scene.apple.token(subject))
        #expect(try device.send("DELETE", "/v2/account", body: body).status == 200)
        #expect(try scene.server.sql("SELECT count(*) FROM identities WHERE subject = '\(subject)'") == ["0"])
        let again = try scene.newDevice(scene.apple, subject, email: device.email)
        #expect(again.userID != device.userID)
    }

    @Test("An account with an authenticator app also needs a code, and its ID token is then used up")
    func secondFactor() throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let device = try scene.newDevice(scene.google, subject)
        let begun = try device.send("POST", "/v2/account/totp")
        let totp = TOTP(secret: try #require(Base32.decode(begun.string("secret"))))
        let code = AuthenticatorApp.code(of: totp)
        #expect(try device.send("POST", "/v2/account/totp/confirm", body: #"{"code":"\#(code)"}"#).status == 200)
        let token = scene.google.token(subject)
        let first = try scene.logIn(scene.google, token, #","device_id":"new","device_name":"New""#)
        #expect(first.verdict == "403 second-factor-required")
        #expect(try scene.logIn(scene.google, token).verdict == "401 id-token-invalid")
        try scene.server.sql("UPDATE totp_secrets SET last_step = 0 WHERE user_id = '\(device.userID)'")
        let body = #"{"challenge":"\#(first.string("challenge"))","code":"\#(AuthenticatorApp.code(of: totp))"}"#
        let answer = try scene.client.send("POST", "/v2/auth/second-factor", body: body)
        #expect(try scene.device(answer, device.email).userID == device.userID)
        let sessions = try device.send("GET", "/v2/auth/sessions").objects("sessions")
        #expect(sessions.contains { $0["device_id"] as? String == "new" })
    }

    @Test("An identity that is removed before the code finishes no login")
    func removedMeanwhile() throws {
        let scene = try scene()
        let app = try Device.new(scene.client)
        let subject = OpenIDScene.newSubject()
        let id = try scene.link(scene.google, scene.google.token(subject), by: app).json["identity"] as? [String: Any]
        let secret = try #require(Base32.decode(try app.send("POST", "/v2/account/totp").string("secret")))
        let totp = TOTP(secret: secret)
        let confirm = #"{"code":"\#(AuthenticatorApp.code(of: totp))"}"#
        #expect(try app.send("POST", "/v2/account/totp/confirm", body: confirm).status == 200)
        let challenge = try scene.logIn(scene.google, scene.google.token(subject)).string("challenge")
        #expect(!challenge.isEmpty)
        let path = "/v2/account/identities/\(id?["id"] as? String ?? "")"
        #expect(try app.send("DELETE", path).status == 204)
        try scene.server.sql("UPDATE totp_secrets SET last_step = 0 WHERE user_id = '\(app.userID)'")
        let body = #"{"challenge":"\#(challenge)","code":"\#(AuthenticatorApp.code(of: totp))"}"#
        let answer = try scene.client.send("POST", "/v2/auth/second-factor", body: body)
        #expect(answer.verdict == "401 challenge-expired")
    }

    @Test("One token for eight concurrent logins starts one session, also the token that opens the account")
    func tokenAtOnce() async throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        for email in [Device.newEmail(), nil] {
            let token = scene.apple.token(subject, email: email)
            let verdicts = try await Self.atOnce(8) { _ in try scene.logIn(scene.apple, token).verdict }
            #expect(verdicts.sorted() == ["200"] + Array(repeating: "401 id-token-invalid", count: 7))
        }
        #expect(
            try scene.server.sql(
                "SELECT count(*) FROM sessions WHERE user_id = (SELECT user_id FROM identities WHERE subject = '\(subject)')"
            ) == ["2"]
        )
    }

    @Test("Eight concurrent tokens of a new person open one account, and all of them log in")
    func personAtOnce() async throws {
        let scene = try scene()
        let (subject, email) = (OpenIDScene.newSubject(), Device.newEmail())
        let verdicts = try await Self.atOnce(8) { _ in
            try scene.logIn(scene.google, scene.google.token(subject, email: email)).verdict
        }
        #expect(verdicts == Array(repeating: "200", count: 8))
        #expect(try scene.server.sql("SELECT count(*) FROM users WHERE email = '\(email)'") == ["1"])
    }

    static func atOnce(_ count: Int, _ work: @escaping @Sendable (Int) throws -> String) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<count { group.addTask { try await onThread { try work(number) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
