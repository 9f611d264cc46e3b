import Foundation
import TestSupport
import Testing

@Suite("The keys of OpenID providers", .blocking)
struct ProviderKeyServingTests {
    @Test("A provider's new key is fetched when a token names it, and the login succeeds at once")
    func rotation() throws {
        let scene = try OpenIDScene()
        let subject = OpenIDScene.newSubject()
        _ = try scene.newDevice(scene.apple, subject)
        #expect(scene.peer.count("/apple") == 1)
        let renewed = scene.apple.rotated(kid: "k2")
        scene.peer.set("/apple", .document(renewed.keySet))
        #expect(try scene.logIn(renewed, renewed.token(subject)).status == 200)
        #expect(scene.peer.count("/apple") == 2)
        // The old key is no longer valid, and it causes no further fetch.
        #expect(try scene.logIn(scene.apple, scene.apple.token(subject)).verdict == "401 id-token-invalid")
        #expect(scene.peer.count("/apple") == 2)
    }

    @Test("A provider's new key in a file is read when a token names it")
    func file() throws {
        let issuer = TestIssuer("filed")
        let file = try TestIssuer.file([issuer])
        let server = try ServerProcess(["--registration", "open", "--openid-providers-file", file])
        let renewed = issuer.rotated(kid: "k2")
        let path = URL(fileURLWithPath: file).deletingLastPathComponent().path + "/filed.jwks"
        try renewed.keySet.write(toFile: path, atomically: true, encoding: .utf8)
        let token = renewed.token(OpenIDScene.newSubject(), email: Device.newEmail())
        #expect(try server.client.send("POST", "/v2/auth/oidc", body: renewed.body(token)).status == 200)
    }

    @Test("A login without the provider's keys gets 503, and the keys are fetched once a minute at most")
    func downWithoutKeys() throws {
        let scene = try OpenIDScene()
        scene.peer.set("/elsewhere", .document(scene.google.keySet))
        scene.peer.set("/google", .status(302, fields: ["Location: \(scene.peer.url("/elsewhere"))"]))
        scene.peer.set("/apple", .document(#"{"keys":[]}"#))
        for issuer in [scene.google, scene.apple] {
            for _ in 0..<3 {
                let answer = try scene.logIn(issuer, issuer.token("somebody"))
                #expect(answer.verdict == "503 provider-unavailable")
                #expect(answer.field("retry-after").flatMap { Int($0) }.map { 1...80 ~= $0 } == true)
            }
            #expect((1...2).contains(scene.peer.count("/\(issuer.name)")))
            try Deadline.wait("the line in the log", seconds: 10) {
                scene.server.log.contains("openid provider name=\(issuer.name) failed=")
            }
        }
        #expect(scene.peer.count("/elsewhere") == 0)
        // Other providers are not affected.
        #expect(try scene.newDevice(scene.local, OpenIDScene.newSubject()).pull().status == 200)
    }

    @Test("A stranger's 200 tokens with unknown keys cause one fetch, and other logins go on")
    func stranger() async throws {
        let scene = try OpenIDScene()
        let subject = OpenIDScene.newSubject()
        let bystander = try scene.newDevice(scene.apple, subject)
        _ = try scene.newDevice(scene.google, subject)
        // From now on the provider does not answer, and each fetch takes the full five seconds.
        scene.peer.set("/apple", .silence)
        let flood = Task {
            try await OpenIDLoginTests.atOnce(200) { number in
                let unknown = scene.apple.token("x", header: #"{"alg":"ES256","kid":"u\#(number)"}"#)
                return try scene.logIn(scene.apple, unknown).verdict
            }
        }
        try await eventually { scene.peer.count("/apple") == 2 }
        let started = ContinuousClock.now
        for issuer in [scene.google, scene.apple, scene.local] {
            let token = issuer.token(subject, email: issuer.name == "local" ? Device.newEmail() : nil)
            #expect(try scene.logIn(issuer, token).status == 200)
        }
        #expect(try bystander.pull().status == 200)
        #expect(ContinuousClock.now - started < .seconds(Int(4 * Patience.factor)))
        let verdicts = Set(try await flood.value)
        #expect(verdicts.isSubset(of: ["503 provider-unavailable", "401 id-token-invalid", "503 overloaded"]))
        #expect(scene.peer.count("/apple") == 2)
    }

    @Test("Bad tokens count as failed logins of their network address, and good ones don't")
    func limit() throws {
        let scene = try OpenIDScene(
            ["--registration", "open", "--trusted-proxies", "127.0.0.1", "--login-failures-per-address-max", "5"],
            hasAttemptLimits: true
        )
        let subject = OpenIDScene.newSubject()
        func verdict(_ token: String, from address: String) throws -> String {
            try scene.logIn(scene.google, token, "", [("X-Forwarded-For", address)]).verdict
        }
        for _ in 0..<7 {
            let token = scene.google.token(subject, email: "a-\(subject)@example.org")
            #expect(try verdict(token, from: "2001:db8::1") == "200")
        }
        let bad = scene.google.token(subject, ["aud": #""another""#])
        for number in 0..<3 { #expect(try verdict(bad, from: "2001:db8::\(number)") == "401 id-token-invalid") }
        // Wrong passwords count towards the same limit.
        let visitor = Visitor(client: scene.client, address: "2001:db8::9")
        for _ in 0..<2 { #expect(try visitor.guess(Device.newEmail()).verdict == "401 credentials-invalid") }
        #expect(try verdict(bad, from: "2001:db8::7") == "429 rate-limited")
        #expect(try verdict(scene.google.token(subject), from: "2001:db8:0:1::7") == "200")
    }
}
