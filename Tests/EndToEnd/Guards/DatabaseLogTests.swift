import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

/// `Tests/Support/find-database-errors` reads the logs of the whole run.
@Suite("PostgreSQL's log after refusals", .blocking)
struct DatabaseLogTests {
    /// A refusal, and the SQLSTATEs that it may leave in PostgreSQL's log.
    private struct Refusal {
        let name: String
        var states: [String] = []
        let request: () throws -> HTTPAnswer
    }

    @Test("A refusal leaves no error in PostgreSQL's log, unless a function raises it on purpose")
    func refusals() throws {
        let passkeys = ["--passkey-rp-id", PasskeyDevice.domain, "--passkey-origins", PasskeyDevice.origin]
        let scene = try MailScene(["--registration", "open"] + passkeys, hasAttemptLimits: true)
        defer { _ = try? scene.server.stop() }
        var seen = try Self.errors(scene.server).count
        for refusal in try Self.logins(scene) + Self.proofs(scene) {
            let answer = try refusal.request()
            #expect(answer.status / 100 == 4 || answer.status == 202, "\(refusal.name): \(answer.text)")
            let errors = try Self.errors(scene.server)
            let new = errors.dropFirst(seen)
            let states = new.map { String($0.prefix(5)) }
            #expect(states == refusal.states, "\(refusal.name): \(new.joined(separator: "; "))")
            seen = errors.count
        }
        #expect(!scene.server.log.contains("database statement"))
    }

    /// Requests that must not reveal if an address has an account.
    private static func logins(_ scene: MailScene) throws -> [Refusal] {
        let (known, unknown) = (try scene.device(), Device.newEmail())
        func wrong(_ email: String) -> () throws -> HTTPAnswer {
            { try scene.send("/auth/login", ["email": email, "password": "two loud lenses"]) }
        }
        return [
            Refusal(name: "a wrong password", request: wrong(known.email)),
            Refusal(name: "an unknown address", request: wrong(unknown)),
            Refusal(name: "an unknown address once more", request: wrong(unknown)),
            Refusal(name: "a registration of a known address") { try scene.register(known.email) },
            Refusal(name: "a registration") { try scene.register(unknown) },
            Refusal(name: "an address that is not confirmed") {
                try scene.send("/auth/login", ["email": unknown, "password": MailScene.password])
            },
            Refusal(name: "a reset of a known address") { try scene.askForReset(known.email) },
            Refusal(name: "a reset of an unknown address") { try scene.askForReset(Device.newEmail()) },
        ]
    }

    /// Wrong proofs of a person.
    private static func proofs(_ scene: MailScene) throws -> [Refusal] {
        let (app, gone) = (try AuthenticatorApp.add(to: scene.device()), try scene.device())
        _ = try gone.send("POST", "/v2/auth/logout")
        let stranger = try PasskeyDevice(of: app.device)
        let token = Base64.url.encode([UInt8](repeating: 7, count: 32))
        return [
            Refusal(name: "a wrong code") {
                try app.device.send("POST", "/v2/auth/confirm", body: #"{"code":"\#(app.wrongCode)"}"#)
            },
            Refusal(name: "a wrong password in a session") {
                try app.device.send("POST", "/v2/auth/confirm", body: #"{"password":"two loud lenses"}"#)
            },
            Refusal(name: "an unknown passkey") {
                let challenge = try scene.server.client.send("POST", "/v2/auth/passkey/options").string("challenge")
                return try stranger.logIn(stranger.assertion(PasskeyDevice.bytes(challenge)))
            },
            Refusal(name: "an unknown token of a reset") { try scene.reset(token, "nine quiet lenses") },
            Refusal(name: "an unknown token of an address", states: ["NV030"]) {
                try scene.send("/auth/email/verify", ["token": token])
            },
            Refusal(name: "an ended session", states: ["NV001"]) { try gone.send("GET", "/v2/account") },
        ]
    }

    /// The errors of the server's statements so far, from their SQLSTATE on. PostgreSQL writes its log a little later: the
    /// error of a statement of the test's own is waited for.
    private static func errors(_ server: ServerProcess) throws -> [Substring] {
        let mark = "mark-\(UUID().uuidString)"
        _ = try? server.sql("SELECT '\(mark)'::integer")
        var text = ""
        try Deadline.wait("PostgreSQL's log", seconds: 30) {
            text = try log(server)
            return text.contains(mark)
        }
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "] neuroviews-server ", maxSplits: 1)
            guard parts.count == 2, ["ERROR:", "FATAL:", "PANIC:"].contains(where: { parts[1].contains($0) }) else {
                return nil
            }
            return parts[1]
        }
    }

    private static func log(_ server: ServerProcess) throws -> String {
        let folder = server.data + "/postgres/log"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }.joined()
    }
}
