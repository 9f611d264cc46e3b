import Foundation
import NeuroViewsCrypto
import Postgres
import TestSupport
import Testing

@Suite("The command secret rotate", .blocking)
struct SecretRotationTests {
    @Test("A rotation keeps the key of old sessions and URLs, and gives new sessions the new key")
    func running() throws {
        var trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        let old = try #require(trial.device.keyID)
        let upload = try trial.device.uploadPath()

        let new = try trial.rotate()
        #expect(try new != old && trial.fileIDs == [new, old])
        #expect(try trial.device.use() == ["201", "200"] && trial.device.keyID == old)
        var later = try trial.logIn(until: new)
        #expect(try later.use() == ["201", "200"] && later.keyID == new)
        #expect(try trial.sql("SELECT key_id FROM sessions WHERE id = '\(later.sessionID)'") == [new])
        #expect(try trial.server.client.send("PUT", upload, body: "0123456789").status == 201)

        // No server has this key, so the token does not belong to this server.
        var foreign = later
        let claims = try TokenClaims(
            sessionID: later.sessionID,
            userID: later.userID,
            counter: later.claims["ctr"] as? Int ?? 0,
            issuedAt: Int(Date().timeIntervalSince1970),
            expiresAt: Int(Date().timeIntervalSince1970) + 60
        )
        foreign.token = try MasterKeys(current: MasterKey(bytes: Array(1...32))).tokens.sign(claims)
        #expect(try foreign.pull().verdict == "401 token-invalid")

        #expect(try trial.server.stop() == 0)
        try trial.startAgain()
        #expect(try trial.device.use() == ["201", "200"] && trial.device.keyID == old)
        #expect(try trial.logIn().keyID == new)
        let doctor = try Operator.run(["doctor"] + trial.places)
        #expect(doctor.output.contains("\(new) (current since "), "\(doctor.output)")
        #expect(doctor.output.contains("\(old) (previous since ") && doctor.output.contains("with 2 keys"))
    }

    @Test("An authenticator app works after a rotation and after a theft, sealed by the new key", .inFull)
    func authenticator() throws {
        let trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        let app = try TrialApp(trial)
        #expect(try app.logIn() == "200")
        let sealer = "SELECT master_key_id FROM totp_secrets"
        let rotated = try trial.rotate()
        #expect(try trial.sql(sealer) == [rotated])
        #expect(try app.logIn() == "200")
        #expect(try trial.run("compromised").status == 0)
        #expect(try trial.sql(sealer) == trial.fileIDs)
        let trail = try trial.sql("SELECT action FROM operator_actions ORDER BY at")
        #expect(trail == ["secret rotate", "secret compromised"])
        try Deadline.wait("a server with the new key", seconds: 30) { try app.logIn() == "200" }
    }

    @Test("A rotation and a concurrent login with a code wait for each other, and both succeed", .inFull)
    func besideALogin() throws {
        let trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        let app = try TrialApp(trial)
        #expect(try app.logIn() == "200")
        // A login that has begun its session, and is about to use the code.
        let login = try Blocker(
            database: trial.database,
            "SELECT FROM neuroviews.master_keys WHERE state = 'current' FOR SHARE"
        )
        let rotation = Thread { _ = try? trial.rotate() }
        rotation.start()
        try Deadline.wait("a rotation that waits", seconds: 30) { try login.isWaitedFor() }
        try login.run("UPDATE neuroviews.totp_secrets SET failures = 0")
        try login.commit("SELECT")
        try Deadline.wait("the rotation", seconds: 60) { rotation.isFinished }
        #expect(try trial.sql("SELECT count(*) FROM master_keys WHERE state = 'previous'") == ["1"])
    }

    @Test("A rotation names a server that lacks the new key, and keeps the old key until it has it", .inFull)
    func twoServers() throws {
        var trial = try KeyTrial()
        let second = try trial.secondServer()
        defer { for server in [trial.server, second] { _ = try? server.stop() } }
        let old = try #require(trial.device.keyID)
        let refused = try trial.run("rotate")
        #expect(refused.status == 75)
        #expect(refused.complaint.contains("(process \(second.processID))"), "\(refused.complaint)")
        #expect(!refused.complaint.contains("(process \(trial.server.processID))"))
        #expect(try trial.logIn().keyID == old && trial.logIn(at: second).keyID == old)
        let doctor = try Operator.run(["doctor"] + trial.places)
        #expect(doctor.output.contains("was prepared at"), "\(doctor.output)")

        try trial.copySecret(to: second.data)
        let new = try trial.rotate()
        #expect(try trial.fileIDs == [new, old])
        for (one, other) in [(trial.server, second), (second, trial.server)] {
            var device = try trial.logIn(until: new, at: one)
            device.client = other.client
            #expect(try device.use() == ["201", "200"] && device.keyID == new)
        }
        trial.device.client = second.client
        #expect(try trial.device.use() == ["201", "200"] && trial.device.keyID == old)

        // A server does not start without all keys.
        #expect(try second.stop() == 0)
        let file = try #require(FileManager.default.contents(atPath: trial.secretPath))
        for (bytes, lacking) in [(file.prefix(32), old), (file.suffix(32), new)] {
            try Data(bytes).write(to: URL(fileURLWithPath: second.data + "/secret.key"))
            let words = ["--data", second.data, "--database-url", trial.database]
            let program = try Operator.run(["serve"] + words)
            #expect(program.status == 69 && program.complaint.contains("lacks the master key \(lacking)"))
        }
    }

    @Test("An unneeded key is deleted from the database by the sweep and from the file by a rotation", .inFull)
    func forgotten() throws {
        var trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        let first = try #require(trial.device.keyID)
        let second = try trial.rotate()
        try trial.sql("UPDATE master_keys SET since = now() - interval '2 days' WHERE state = 'previous'")
        let third = try trial.rotate()
        #expect(try trial.fileIDs == [third, second, first], "a session lives")
        #expect(try trial.device.use() == ["201", "200"])
        try trial.sql(
            "UPDATE sessions SET ended_at = now(); UPDATE master_keys SET since = now() - interval '2 days' "
                + "WHERE state = 'previous'"
        )
        let fourth = try trial.rotate()
        #expect(try trial.fileIDs == [fourth, third])
        #expect(try trial.sql("SELECT key_id FROM master_keys ORDER BY since") == [third, fourth])
        try Deadline.wait("a server that does not read the old key", seconds: 30) {
            try trial.device.pull().verdict == "401 token-invalid"
        }
    }

    @Test("secret rotate and secret compromised name the remedy when they can't run", .inFull)
    func refused() throws {
        let trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        let before = FileManager.default.contents(atPath: trial.secretPath)
        for action in ["rotate", "compromised"] {
            let environment = ["CREDENTIALS_DIRECTORY": trial.server.data]
            let copied = try Operator.run(["secret", action] + trial.places, environment: environment)
            #expect(copied.status == 73 && copied.complaint.contains("--secret-file /etc/neuroviews/secret.key"))
        }
        let lost = try Operator.run(["secret", "rotate", "--secret-file", "/nowhere/secret.key"] + trial.places)
        #expect(lost.status == 69 && lost.complaint.contains("There is no secret file /nowhere/secret.key"))
        let foreign = trial.server.folder + "/foreign"
        try Data((0..<32).map { UInt8($0) }).write(to: URL(fileURLWithPath: foreign))
        chmod(foreign, 0o600)
        let other = try Operator.run(["secret", "rotate", "--secret-file", foreign] + trial.places)
        #expect(other.status == 69 && other.complaint.contains("is not the one this database was made with"))
        let blocker = try BlockingSession(trial.database)
        try blocker.execute("SELECT pg_advisory_lock(hashtext('neuroviews.secret'))")
        #expect(try trial.run("rotate").status == 75)
        #expect(FileManager.default.contents(atPath: trial.secretPath) == before)
        #expect(try trial.sql("SELECT key_id FROM master_keys").count == 1)
    }
}
