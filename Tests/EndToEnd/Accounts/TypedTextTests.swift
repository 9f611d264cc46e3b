import Credentials
import NeuroViewsCrypto
import TestSupport
import Testing

/// People type addresses and codes, and keyboards add to them.
@Suite("Typed addresses and codes", .blocking)
struct TypedTextTests {
    private static func logIn(_ client: APIClient, _ email: String) throws -> HTTPAnswer {
        let body = #"{"email":"\#(email)","password":"\#(Device.password)","device_id":"typed"}"#
        return try client.send("POST", "/v2/auth/login", body: body)
    }

    private static func email(_ answer: HTTPAnswer) -> String? {
        (answer.json["user"] as? [String: Any])?["email"] as? String
    }

    @Test("A login finds its account by an address with the spaces that keyboards add")
    func spaces() throws {
        let client = try Shared.client()
        let email = Device.newEmail()
        #expect(try Self.email(Device.register(client, " \(email)")) == email)
        for typed in ["\(email) ", " \(email)", "\(email)\\n", "\(email)\u{A0}", "\\t\(email.uppercased())  "] {
            #expect(try Self.email(Self.logIn(client, typed)) == email, "\(typed)")
        }
        #expect(try Device.register(client, "\(email) ").verdict == "409 email-taken")
    }

    @Test("The spellings of an internationalised domain are one account")
    func domains() throws {
        let client = try Shared.client()
        let local = String(Device.newEmail().prefix { $0 != "@" })
        let stored = "\(local)@xn--exmple-cua.org"
        #expect(try Self.email(Device.register(client, "\(local)@exämple.org")) == stored)
        for domain in ["exämple.org", "EXÄMPLE.org", "exa\u{308}mple.org", "xn--exmple-cua.org", "XN--EXMPLE-CUA.ORG"] {
            #expect(try Self.email(Self.logIn(client, "\(local)@\(domain)")) == stored, "\(domain)")
            #expect(try Device.register(client, "\(local)@\(domain)").verdict == "409 email-taken", "\(domain)")
        }
    }

    @Test("A code with the gaps that apps show between its digits is accepted by every operation")
    func codes() throws {
        let device = try Shared.newDevice()
        let begun = try device.send("POST", "/v2/account/totp")
        let totp = TOTP(secret: try #require(Base32.decode(begun.string("secret"))))
        func gap(_ code: String, _ text: String) -> String { "\(code.prefix(3))\(text)\(code.suffix(3))" }
        let first = gap(AuthenticatorApp.code(of: totp), " ")
        let confirmed = try device.send("POST", "/v2/account/totp/confirm", body: #"{"code":"\#(first)"}"#)
        let recovery = try #require((confirmed.json["recovery_codes"] as? [String])?.first)
        let app = AuthenticatorApp(device: device, totp: totp, recoveryCodes: [])
        #expect(try app.finish(app.challenge(), code: gap(app.freshCode(), "-") + "\\n").status == 200)
        #expect(try app.finish(app.challenge(), recoveryCode: recovery.replacing("-", with: "\u{2013} ")).status == 200)
        let again = gap(try app.freshCode(), "\u{202F}")
        #expect(try device.send("POST", "/v2/auth/confirm", body: #"{"code":"\#(again)"}"#).status == 204)
        for wrong in ["12 345", "1234 567", "12345a"] {
            let answer = try device.send("POST", "/v2/auth/confirm", body: #"{"code":"\#(wrong)"}"#)
            #expect(["401 code-invalid", "422 invalid-document"].contains(answer.verdict), "\(wrong)")
        }
        let last = gap(try app.freshCode(), " ")
        #expect(try device.send("DELETE", "/v2/account/totp", body: #"{"code":"\#(last)"}"#).status == 204)
    }

    @Test("A reset is mailed for every spelling of an address, and its token may be pasted with spaces around it")
    func reset() throws {
        let scene = try MailScene.shared.get()
        let local = String(Device.newEmail().prefix { $0 != "@" })
        let stored = "\(local)@xn--exmple-cua.org"
        let added = try Program.run(
            [Program.server, "user", "add", "\(local)@exämple.org", "--data", scene.server.data],
            input: MailScene.password
        )
        #expect(added.status == 0, "\(added.complaint)")
        #expect(try scene.askForReset("\(local)@EXÄMPLE.org ").status == 202)
        let token = try scene.post.arrival(to: stored).token("reset")
        #expect(try scene.reset(" \(token)\\n", "another one for the shelf").status == 204)
        #expect(try scene.logIn("\(local)@exämple.org", "another one for the shelf") == "200")
    }
}
