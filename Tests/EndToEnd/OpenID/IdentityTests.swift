import Foundation
import TestSupport
import Testing

@Suite("The identities of an account", .blocking)
struct IdentityTests {
    private func scene() throws -> OpenIDScene { try OpenIDScene.shared.get() }

    private func id(_ answer: HTTPAnswer) -> String {
        (answer.json["identity"] as? [String: Any])?["id"] as? String ?? ""
    }

    private func unlink(_ id: String, _ device: Device) throws -> String {
        try device.send("DELETE", "/v2/account/identities/\(id)").verdict
    }

    @Test("A person links two identities, logs in by each, and removes them again")
    func life() throws {
        let scene = try scene()
        let device = try Device.new(scene.client)
        #expect(try device.identities().isEmpty)
        let subject = OpenIDScene.newSubject()
        let linked = try scene.link(scene.google, scene.google.token(subject, email: "a@example.org"), by: device)
        #expect(linked.status == 200)
        let other = id(try scene.link(scene.apple, scene.apple.token(subject), by: device))
        let all = try device.identities()
        #expect(all.map { $0["provider"] as? String } == ["google", "apple"])
        #expect(all.map { $0["issuer"] as? String } == [scene.google.issuer, scene.apple.issuer])
        #expect(all[0]["email"] as? String == "a@example.org" && all[1]["email"] is NSNull)
        for issuer in [scene.google, scene.apple] {
            let answer = try scene.logIn(issuer, issuer.token(subject))
            #expect(try scene.device(answer, device.email).userID == device.userID)
        }
        #expect(id(try scene.link(scene.google, scene.google.token(subject), by: device)) == id(linked))
        #expect(try unlink(other, device) == "204")
        #expect(try unlink(other, device) == "404 not-found")
        #expect(try scene.logIn(scene.apple, scene.apple.token(subject)).verdict == "403 provider-email-unverified")
        #expect(try unlink(id(linked), device) == "204", "the account has a password")
        let kinds: [String] = try device.accountEvents().members("kind", of: "events")
        #expect(
            kinds.filter { $0.hasPrefix("identity") } == [
                "identity-removed", "identity-removed", "identity-added", "identity-added",
            ]
        )
    }

    @Test("Linking another account's identity is refused without data of that account")
    func taken() throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let owner = try scene.newDevice(scene.google, subject)
        let device = try Device.new(scene.client)
        let answer = try scene.link(scene.google, scene.google.token(subject), by: device)
        #expect(answer.verdict == "409 identity-taken" && !answer.text.contains(owner.userID))
        #expect(try device.identities().isEmpty)
        let id = try #require(try owner.identities().first?["id"] as? String)
        #expect(try unlink(id, device) == "404 not-found")
    }

    @Test("Eight accounts that link one identity at once leave it with one of them")
    func takenAtOnce() async throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let devices = try (0..<8).map { _ in try scene.newDevice(scene.apple, OpenIDScene.newSubject()) }
        let verdicts = try await OpenIDLoginTests.atOnce(8) {
            try scene.link(scene.google, scene.google.token(subject), by: devices[$0]).verdict
        }
        #expect(verdicts.sorted() == ["200"] + Array(repeating: "409 identity-taken", count: 7))
    }

    @Test("Linking and removing an identity need a confirmation, and a token of a linked identity gives one")
    func confirmation() throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let device = try scene.newDevice(scene.google, subject)
        try scene.forgetConfirmation(of: device)
        let other = scene.apple.token(OpenIDScene.newSubject())
        #expect(try scene.link(scene.apple, other, by: device).verdict == "403 confirmation-required")
        let id = try #require(try device.identities().first?["id"] as? String)
        #expect(try unlink(id, device) == "403 confirmation-required")
        func confirm(_ issuer: TestIssuer, _ subject: String) throws -> HTTPAnswer {
            try device.send("POST", "/v2/auth/confirm", body: issuer.body(issuer.token(subject)))
        }
        for (issuer, subject) in [(scene.google, OpenIDScene.newSubject()), (scene.apple, subject)] {
            let answer = try confirm(issuer, subject)
            #expect(answer.verdict == "401 id-token-invalid" && answer.string("detail").contains("not linked"))
        }
        #expect(try scene.link(scene.apple, other, by: device).verdict == "403 confirmation-required")
        #expect(try confirm(scene.google, subject).status == 204)
        #expect(try scene.link(scene.apple, other, by: device).status == 200, "the token was not used by the refusal")
    }

    @Test("The last way to log in can't be removed, and an unconfigured provider is no way to log in")
    func last() async throws {
        let scene = try scene()
        let device = try scene.newDevice(scene.google, OpenIDScene.newSubject())
        let first = try #require(try device.identities().first?["id"] as? String)
        #expect(try unlink(first, device) == "409 last-login-method")
        try scene.server.sql(
            "INSERT INTO identities (user_id, issuer, subject) VALUES ('\(device.userID)', 'https://gone.example.org', 'x')"
        )
        #expect(try device.identities().last?["provider"] is NSNull)
        #expect(try unlink(first, device) == "409 last-login-method")
        let second = id(try scene.link(scene.apple, scene.apple.token(OpenIDScene.newSubject()), by: device))
        let verdicts = try await OpenIDLoginTests.atOnce(2) { try unlink([first, second][$0], device) }
        #expect(verdicts.sorted() == ["204", "409 last-login-method"])
    }

    @Test("A password set by a mailed reset counts as a way to log in")
    func password() throws {
        let scene = try scene()
        let device = try scene.newDevice(scene.google, OpenIDScene.newSubject())
        try scene.server.sql("SELECT replace_password('\(device.userID)', 'x')", role: "neuroviews_background")
        #expect(try scene.server.sql("SELECT has_password FROM users WHERE id = '\(device.userID)'") == ["t"])
    }

    @Test("An account has at most 10 identities")
    func tooMany() throws {
        let scene = try scene()
        let device = try scene.newDevice(scene.google, OpenIDScene.newSubject())
        for _ in 0..<9 {
            #expect(try scene.link(scene.apple, scene.apple.token(OpenIDScene.newSubject()), by: device).status == 200)
        }
        let answer = try scene.link(scene.apple, scene.apple.token(OpenIDScene.newSubject()), by: device)
        #expect(answer.verdict == "403 quota-exceeded" && answer.string("quota") == "identities")
        #expect(answer.int("limit") == 10 && answer.int("used") == 10)
    }

    @Test("A fresh token of a linked identity erases the account, and a stranger's does not")
    func erasure() throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let device = try scene.newDevice(scene.google, subject)
        func erase(_ subject: String) throws -> String {
            try device.send("DELETE", "/v2/account", body: scene.google.body(scene.google.token(subject))).verdict
        }
        #expect(try erase(OpenIDScene.newSubject()) == "401 id-token-invalid")
        #expect(try erase(subject) == "200")
        #expect(try scene.server.sql("SELECT count(*) FROM identities WHERE user_id = '\(device.userID)'") == ["0"])
    }

    @Test("The export and the operator's commands list the account's identities")
    func shown() throws {
        let scene = try scene()
        let subject = OpenIDScene.newSubject()
        let device = try scene.newDevice(scene.google, subject)
        let exported = try device.export().objects("identities")
        #expect(
            exported.first?["subject"] as? String == subject
                && exported.first?["issuer"] as? String == scene.google.issuer
        )
        let shown = try Operator.succeed(["user", "show", device.email, "--data", scene.server.data])
        #expect(shown.contains("identity\t\(scene.google.issuer)\t\(subject)\t"))
    }
}
