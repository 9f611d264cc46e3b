import Foundation
import TestSupport
import Testing

@Suite("Passkeys", .blocking)
struct PasskeyTests {
    private func update(_ person: PasskeyDevice, _ change: String) throws {
        try Shared.server.get().sql("UPDATE \(change) user_id = '\(person.device.userID)'")
    }

    @Test("A passkey is registered, logs in by itself, and is removed", arguments: [true, false])
    func life(isElliptic: Bool) throws {
        let person = try PasskeyDevice.registered(isElliptic ? .es256() : .rs256())
        let listed = try person.device.send("GET", "/v2/account/passkeys").objects("passkeys")
        #expect(listed.map { $0["name"] as? String } == ["Key"] && listed.first?["last_used_at"] is NSNull)
        let login = try person.logIn()
        #expect(login.status == 200)
        #expect(Set(login.json.keys) == ["token", "user", "expires_at", "signing_key"])
        var other = person.device
        other.token = login.string("token")
        #expect(try other.pull().status == 200)
        let used = try other.send("GET", "/v2/account/passkeys").objects("passkeys")
        #expect(used.first?["last_used_at"] is String)
        #expect(try other.send("DELETE", "/v2/account/passkeys/\(person.id)").status == 204)
        #expect(try other.send("DELETE", "/v2/account/passkeys/\(person.id)").verdict == "404 not-found")
        #expect(try person.logIn().verdict == "401 passkey-invalid")
        let kinds: [String] = try other.accountEvents().members("kind", of: "events")
        #expect(kinds == ["passkey-removed", "login", "device-new", "passkey-added", "login", "device-new"])
    }

    @Test("Registration options are in the form of browsers and exclude the account's existing passkeys")
    func options() throws {
        let person = try PasskeyDevice.registered()
        let options = try person.device.send("POST", "/v2/account/passkeys/options")
        #expect((options.json["rp"] as? [String: Any])?["id"] as? String == PasskeyDevice.domain)
        #expect((options.json["user"] as? [String: Any])?["name"] as? String == person.device.email)
        #expect(options.objects("excludeCredentials").count == 1)
        #expect(options.objects("pubKeyCredParams").map { $0["alg"] as? Int } == [-7, -257])
        #expect(try person.register().verdict == "409 passkey-exists")
        let another = try PasskeyDevice()
        var copy = another
        copy.authenticator = person.authenticator
        #expect(try copy.register().verdict == "409 passkey-exists", "nor for another account")
    }

    @Test("Adding and removing a passkey need a confirmation, and an assertion of a passkey gives one")
    func confirmation() throws {
        let person = try PasskeyDevice.registered()
        let challenge = try person.begin()
        try update(person, "sessions SET proven_at = now() - interval '11 minutes' WHERE")
        var second = person
        second.authenticator = SoftAuthenticator(
            key: .es256(),
            relyingParty: PasskeyDevice.domain,
            origin: PasskeyDevice.origin
        )
        let device = person.device
        #expect(try device.send("POST", "/v2/account/passkeys/options").verdict == "403 confirmation-required")
        #expect(try second.register(challenge).verdict == "403 confirmation-required")
        let path = "/v2/account/passkeys/\(person.id)"
        #expect(try device.send("DELETE", path).verdict == "403 confirmation-required")
        let stranger = try PasskeyDevice.registered()
        let wrong = try device.send("POST", "/v2/auth/confirm", body: #"{"assertion":\#(stranger.assertion())}"#)
        #expect(wrong.verdict == "401 passkey-invalid")
        let body = #"{"assertion":\#(try person.assertion())}"#
        #expect(try device.send("POST", "/v2/auth/confirm", body: body).status == 204)
        #expect(try device.send("POST", "/v2/auth/confirm", body: body).verdict == "401 passkey-invalid")
        #expect(try second.register(challenge).status == 201)
    }

    @Test("A passkey replaces the code of an app, and alone does not require a second factor")
    func secondFactor() throws {
        let person = try PasskeyDevice.registered()
        func logIn() throws -> HTTPAnswer {
            let body = #"{"email":"\#(person.device.email)","password":"\#(Device.password)"}"#
            return try person.device.client.send("POST", "/v2/auth/login", body: body)
        }
        #expect(try logIn().status == 200)
        try AuthenticatorApp.add(to: person.device)
        let waiting = try logIn()
        #expect(waiting.json["methods"] as? [String] == ["code", "recovery_code", "assertion"])
        func finish(_ assertion: String) throws -> String {
            let body = #"{"challenge":"\#(waiting.string("challenge"))","assertion":\#(assertion)}"#
            return try person.device.client.send("POST", "/v2/auth/second-factor", body: body).verdict
        }
        let stranger = try PasskeyDevice.registered()
        #expect(try finish(stranger.assertion()) == "401 passkey-invalid")
        #expect(try finish(person.assertion()) == "200")
        #expect(try person.logIn().status == 200, "the passkey alone")
    }

    @Test("A passkey's assertion erases the account with all its passkeys")
    func erasure() throws {
        let person = try PasskeyDevice.registered()
        #expect(try person.logIn().status == 200)
        let export = try person.device.export()
        #expect(export.objects("passkeys").map { $0["id"] as? String } == [person.id])
        let body = #"{"assertion":\#(try person.assertion())}"#
        #expect(try person.device.send("DELETE", "/v2/account", body: body).status == 200)
        #expect(try Catalogue.rows(of: person.device.userID, Shared.server.get()).isEmpty)
        #expect(try person.logIn().verdict == "401 passkey-invalid")
    }

    @Test("An account has at most 20 passkeys")
    func quota() throws {
        let person = try PasskeyDevice()
        try Shared.server.get().sql(
            """
            INSERT INTO passkeys (user_id, credential_id, public_key, counter, domain)
            SELECT '\(person.device.userID)', uuid_send(gen_random_uuid()), '', 0, 'example.org' FROM generate_series(1, 20)
            """
        )
        let answer = try person.register()
        #expect(answer.verdict == "403 quota-exceeded" && answer.string("quota") == "passkeys")
    }

    @Test("An account's last login method cannot be removed")
    func last() throws {
        let person = try PasskeyDevice.registered()
        try update(person, "users SET has_password = false WHERE id = '\(person.device.userID)' --")
        let path = "/v2/account/passkeys/\(person.id)"
        #expect(try person.device.send("DELETE", path).verdict == "409 last-login-method")
        let other = try PasskeyDevice.registered(of: person.device)
        // The other passkey belongs to the server's previous domain.
        try update(person, "passkeys SET domain = 'old.example.org' WHERE id = '\(other.id)' AND")
        #expect(try person.device.send("DELETE", path).verdict == "409 last-login-method")
        _ = try PasskeyDevice.registered(of: person.device)
        #expect(try person.device.send("DELETE", path).status == 204)
    }

    @Test("A disabled account's passkey starts no session")
    func disabled() throws {
        let person = try PasskeyDevice.registered()
        let data = try Shared.server.get().data
        _ = try Operator.succeed(["user", "disable", person.device.email, "--data", data])
        #expect(try person.logIn().verdict == "401 account-disabled")
    }

    @Test("A server with a domain serves the file of iOS apps; one without has neither the file nor passkeys")
    func places() throws {
        let path = "/.well-known/apple-app-site-association"
        let file = try Shared.client().send("GET", path)
        #expect(file.text == #"{"webcredentials":{"apps":["A1B2C3D4E5.org.example.app"]}}"#)
        #expect(file.field("content-type") == "application/json")
        let client = try Shared.observedServer.get().client
        let device = try Device.new(client)
        #expect(try client.send("GET", path).status == 404)
        #expect(try client.send("POST", "/v2/auth/passkey/options").verdict == "403 passkeys-unavailable")
        #expect(try device.send("POST", "/v2/account/passkeys/options").verdict == "403 passkeys-unavailable")
    }
}
