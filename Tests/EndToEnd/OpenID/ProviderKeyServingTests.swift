import Foundation
import TestSupport
import Testing

@Suite("The keys of OpenID providers", .blocking)
struct ProviderKeyServingTests {
    /// A server with several providers. Each provider with a URL has its keys at a path of its own.
    private static let scene = Result { try OpenIDScene() }

    @Test("A new key is fetched when a token names it, and its owner is logged in at once")
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

    @Test("A new key in a file is read when a token names it")
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

    @Test("While the provider is down, keys that were fetched serve on; a key that nobody has seen is told to wait")
    func downWithKeys() throws {
        let scene = try OpenIDScene()
        let subject = OpenIDScene.newSubject()
        _ = try scene.newDevice(scene.apple, subject)
        scene.peer.set("/apple", .nothing)
        #expect(try scene.logIn(scene.apple, scene.apple.token(subject)).status == 200)
        let renewed = scene.apple.rotated(kid: "k2")
        let answer = try scene.logIn(renewed, renewed.token(subject))
        #expect(answer.verdict == "503 provider-unavailable")
        #expect(answer.field("retry-after").flatMap { Int($0) }.map { 1...60 ~= $0 } == true)
        #expect(try scene.logIn(scene.apple, scene.apple.token(subject)).status == 200)
        try Deadline.wait("the line in the log", seconds: 10) {
            scene.server.log.contains("openid provider name=apple failed=")
        }
    }

    @Test(
        "Without keys the answer is 503, and the provider is asked once a minute at most",
        arguments: [
            "nothing", "status 500", "a redirect", "a huge set", "an endless one", "no keys", "no JSON",
        ]
    )
    func downWithoutKeys(what: String) throws {
        let scene = try Self.scene.get()
        let server = try OpenIDScene()
        let huge = #"{"keys":[\#(String(repeating: " ", count: 300_000))]}"#
        let answers: [String: DocumentServer.Answer] = [
            "nothing": .nothing, "status 500": .status(500),
            "a redirect": .status(302, fields: ["Location: \(scene.peer.url("/google"))"]),
            "a huge set": .document(huge), "an endless one": .endless, "no keys": .document(#"{"keys":[]}"#),
            "no JSON": .document("<html>"),
        ]
        server.peer.set("/google", try #require(answers[what]))
        for _ in 0..<3 {
            let answer = try server.logIn(server.google, server.google.token("somebody"))
            #expect(answer.verdict == "503 provider-unavailable" && answer.field("retry-after") != nil)
        }
        #expect((1...2).contains(server.peer.count("/google")))
        // Other providers are not affected.
        #expect(try server.newDevice(server.apple, OpenIDScene.newSubject()).pull().status == 200)
        #expect(scene.peer.count("/google") == 0)
    }

    @Test("A stranger's 200 tokens with unknown keys make one fetch, and bystanders log in meanwhile")
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

    @Test("Bad tokens count with the failed logins of their address, and good ones don't")
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
