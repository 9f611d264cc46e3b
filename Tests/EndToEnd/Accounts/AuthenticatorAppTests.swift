import Credentials
import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Authenticator apps", .blocking)
struct AuthenticatorAppTests {
    private func confirm(_ device: Device, _ code: String) throws -> String {
        try device.send("POST", "/v2/account/totp/confirm", body: #"{"code":"\#(code)"}"#).verdict
    }

    private func remove(_ device: Device, _ member: String, _ value: String) throws -> String {
        try device.send("DELETE", "/v2/account/totp", body: #"{"\#(member)":"\#(value)"}"#).verdict
    }

    private func forget(_ device: Device) throws {
        try Shared.server.get().sql(
            "UPDATE sessions SET proven_at = now() - interval '1 hour' WHERE user_id = '\(device.userID)'"
        )
    }

    @Test("An app's secret is in use after its first code; until then it can be replaced, and logins need no code")
    func begins() throws {
        let device = try Shared.newDevice()
        #expect(try confirm(device, "000000") == "404 not-found")
        let replaced = try device.send("POST", "/v2/account/totp").string("secret")
        let begun = try device.send("POST", "/v2/account/totp")
        #expect(begun.string("uri").contains("secret=\(begun.string("secret"))&issuer=NeuroViews%20Cloud"))
        #expect(try Shared.session(of: device, on: "tablet").pull().status == 200)
        let old = TOTP(secret: try #require(Base32.decode(replaced)))
        let new = TOTP(secret: try #require(Base32.decode(begun.string("secret"))))
        #expect(try confirm(device, AuthenticatorApp.code(of: old)) == "401 code-invalid")
        #expect(try confirm(device, AuthenticatorApp.code(of: new)) == "200")
        #expect(try confirm(device, AuthenticatorApp.code(of: new, later: 1)) == "409 second-factor-exists")
        #expect(try device.send("POST", "/v2/account/totp").verdict == "409 second-factor-exists")
    }

    @Test("pyotp reads the URI of an authenticator app and logs in", .needs(.python))
    func pyotp() throws {
        let device = try Shared.newDevice()
        let uri = try device.send("POST", "/v2/account/totp").string("uri")
        func code(_ expression: String) throws -> String {
            let script = "import pyotp, sys, time; print(pyotp.parse_uri(sys.argv[1]).\(expression), end='')"
            return try Program.run([Tool.interpreter, "-c", script, uri]).output
        }
        #expect(try confirm(device, code("now()")) == "200")
        let body = #"{"email":"\#(device.email)","password":"\#(Device.password)"}"#
        let challenge = try device.client.send("POST", "/v2/auth/login", body: body).string("challenge")
        let factor = #"{"challenge":"\#(challenge)","code":"\#(try code("at(time.time() + 30)"))"}"#
        #expect(try device.client.send("POST", "/v2/auth/second-factor", body: factor).status == 200)
    }

    @Test("A code or a recovery code removes the app; then logins need the password alone")
    func removed() throws {
        let app = try AuthenticatorApp.new()
        #expect(try remove(app.device, "code", app.wrongCode) == "401 code-invalid")
        #expect(try remove(app.device, "code", app.freshCode()) == "204")
        #expect(try remove(app.device, "code", AuthenticatorApp.code(of: app.totp, later: 1)) == "404 not-found")
        #expect(try remove(app.device, "recovery_code", app.recoveryCodes[0]) == "404 not-found")
        #expect(try app.logIn().status == 200)
        let other = try AuthenticatorApp.new()
        #expect(try remove(other.device, "recovery_code", app.recoveryCodes[0]) == "401 code-invalid")
        #expect(try remove(other.device, "recovery_code", other.recoveryCodes[0]) == "204")
        #expect(try other.logIn().status == 200)
    }

    @Test("Adding and removing an app need a confirmation, and a code of the app gives one")
    func confirmation() throws {
        let app = try AuthenticatorApp.new()
        try forget(app.device)
        #expect(try app.device.send("POST", "/v2/account/totp").verdict == "403 confirmation-required")
        #expect(try confirm(app.device, "000000") == "403 confirmation-required")
        #expect(try remove(app.device, "code", app.freshCode()) == "403 confirmation-required")
        let code = try app.freshCode()
        for (code, verdict) in [(app.wrongCode, "401 code-invalid"), (code, "204"), (code, "401 code-invalid")] {
            let answer = try app.device.send("POST", "/v2/auth/confirm", body: #"{"code":"\#(code)"}"#)
            #expect(answer.verdict == verdict)
        }
        #expect(try remove(app.device, "code", app.freshCode()) == "204")
    }

    @Test("The database stores the app's secret sealed for its own account")
    func sealed() throws {
        let (app, other) = (try AuthenticatorApp.new(), try AuthenticatorApp.new())
        let server = try Shared.server.get()
        let rows = try server.sql(
            "SELECT sealed_secret FROM totp_secrets WHERE user_id = '\(other.device.userID)'"
        )
        let foreign = try #require(rows.first).dropFirst(2)
        try app.update("sealed_secret = '\\x\(foreign)'")
        #expect(try app.finish(app.challenge(), code: AuthenticatorApp.code(of: other.totp)).status == 500)
    }
}
