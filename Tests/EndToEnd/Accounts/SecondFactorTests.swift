import Credentials
import Foundation
import TestSupport
import Testing

@Suite("The second factor of a login", .blocking)
struct SecondFactorTests {
    @Test("With an authenticator app, a login needs the password and a fresh code")
    func login() throws {
        let app = try AuthenticatorApp.new()
        #expect(try app.logIn(password: "not the password").verdict == "401 credentials-invalid")
        let first = try app.logIn()
        #expect(first.verdict == "403 second-factor-required")
        #expect(first.json["methods"] as? [String] == ["code", "recovery_code"])
        let challenge = first.string("challenge")
        #expect(try app.finish(challenge, code: app.wrongCode).verdict == "401 code-invalid")
        let code = try app.freshCode()
        let answer = try app.finish(challenge, code: code)
        #expect(answer.status == 200)
        #expect(Set(answer.json.keys) == ["token", "user", "expires_at", "signing_key"])
        #expect(try app.finish(challenge, code: app.freshCode()).verdict == "401 challenge-expired")
        let sessions = try app.device.send("GET", "/v2/auth/sessions").objects("sessions")
        let new = try #require(sessions.first { $0["device_id"] as? String == "new" })
        #expect(new["device_name"] as? String == "New" && new["address"] as? String == "127.0.0.1")
    }

    @Test("A code logs in once, and no earlier code is accepted after it")
    func replay() throws {
        let app = try AuthenticatorApp.new()
        let (earlier, code) = (AuthenticatorApp.code(of: app.totp, later: -1), try app.freshCode())
        #expect(try app.finish(app.challenge(), code: code).status == 200)
        for used in [code, earlier] {
            #expect(try app.finish(app.challenge(), code: used).verdict == "401 code-invalid")
        }
    }

    @Test("The same code in eight concurrent logins is accepted once")
    func atOnce() async throws {
        let app = try AuthenticatorApp.new()
        let challenges = try (0..<8).map { _ in try app.challenge() }
        let code = try app.freshCode()
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for challenge in challenges { group.addTask { try app.finish(challenge, code: code).verdict } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.filter { $0 == "200" }.count == 1)
        #expect(verdicts.filter { $0 == "401 code-invalid" }.count == 7)
    }

    @Test("Each recovery code replaces the app's code once")
    func recovery() throws {
        let app = try AuthenticatorApp.new()
        #expect(Set(app.recoveryCodes).count == 10)
        let typed = app.recoveryCodes[0].uppercased().replacing("-", with: " ")
        #expect(try app.finish(app.challenge(), recoveryCode: typed).status == 200)
        #expect(try app.finish(app.challenge(), recoveryCode: app.recoveryCodes[0]).verdict == "401 code-invalid")
        #expect(try app.finish(app.challenge(), recoveryCode: "no code").verdict == "401 code-invalid")
        let other = try AuthenticatorApp.new()
        #expect(try app.finish(app.challenge(), recoveryCode: other.recoveryCodes[1]).verdict == "401 code-invalid")
        #expect(try app.finish(app.challenge(), recoveryCode: app.recoveryCodes[1]).status == 200)
        for code in app.recoveryCodes.dropFirst(2) {
            #expect(try app.finish(app.challenge(), recoveryCode: code).status == 200)
        }
        #expect(try app.logIn().json["methods"] as? [String] == ["code"])
    }

    @Test("A login challenge ends after 5 attempts, after 5 minutes or with a change of the password")
    func challenges() throws {
        let app = try AuthenticatorApp.new()
        let guessed = try app.challenge()
        for _ in 0..<5 { #expect(try app.finish(guessed, code: app.wrongCode).verdict == "401 code-invalid") }
        #expect(try app.finish(guessed, code: app.freshCode()).verdict == "401 challenge-expired")
        let late = try app.challenge()
        try Shared.server.get().sql(
            "UPDATE second_factor_challenges SET expires_at = now() WHERE user_id = '\(app.device.userID)'"
        )
        #expect(try app.finish(late, code: app.freshCode()).verdict == "401 challenge-expired")
        let before = try app.challenge()
        let change = #"{"current_password":"\#(Device.password)","new_password":"a better password"}"#
        #expect(try app.device.send("POST", "/v2/auth/password", body: change).status == 200)
        #expect(try app.finish(before, code: app.freshCode()).verdict == "401 challenge-expired")
        for unknown in ["", "x", String(repeating: "A", count: 43)] {
            #expect(try app.finish(unknown, code: app.freshCode()).verdict == "401 challenge-expired")
        }
    }

    @Test("Ten logins may wait for a code; the next one ends the oldest")
    func waiting() throws {
        let app = try AuthenticatorApp.new()
        let challenges = try (0..<11).map { _ in try app.challenge() }
        #expect(try app.finish(challenges[0], code: app.freshCode()).verdict == "401 challenge-expired")
        #expect(try app.finish(challenges[1], code: app.freshCode()).status == 200)
    }

    @Test("After 20 wrong codes in a day, only recovery codes are checked")
    func guessing() async throws {
        let app = try AuthenticatorApp.new()
        let challenges = try (0..<6).map { _ in try app.challenge() }
        // All codes are sent at the same time: the server counts each code before it checks it.
        let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
            for challenge in challenges + challenges + challenges + challenges + challenges {
                group.addTask { try await onThread { try app.finish(challenge, code: app.wrongCode).verdict } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.count { $0 == "401 code-invalid" } == 20)
        #expect(verdicts.count { $0 == "429 too-many-codes" } == 10)
        let refused = try app.finish(app.challenge(), code: app.freshCode())
        #expect(refused.verdict == "429 too-many-codes")
        let wait = try #require(refused.field("retry-after").flatMap(Int.init))
        // Spread by a minute at most.
        #expect((86_000...86_460).contains(wait))
        let body = #"{"code":"\#(try app.freshCode())"}"#
        #expect(try app.device.send("POST", "/v2/auth/confirm", body: body).verdict == "429 too-many-codes")
        #expect(try app.finish(app.challenge(), recoveryCode: app.recoveryCodes[0]).status == 200)
        try app.update("failures_since = now() - interval '1 day'")
        #expect(try app.finish(app.challenge(), code: app.freshCode()).status == 200)
    }

    @Test("Right codes do not count against the limit of wrong codes")
    func rightCodes() throws {
        let app = try AuthenticatorApp.new()
        for _ in 0..<22 { #expect(try app.finish(app.challenge(), code: app.freshCode()).status == 200) }
    }
}
