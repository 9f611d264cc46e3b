import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("The command secret compromised", .inFull, .blocking)
struct SecretCompromisedTests {
    @Test("secret compromised ends every session and URL of the old key at once on two servers")
    func everything() throws {
        var trial = try KeyTrial()
        let second = try trial.secondServer()
        defer { for server in [trial.server, second] { _ = try? server.stop() } }
        var other = try trial.logIn(at: second)
        #expect(try trial.device.use() == ["201", "200"] && other.use() == ["201", "200"])
        let upload = try trial.device.uploadPath()
        let old = try #require(trial.device.keyID)

        let told = try trial.run("compromised")
        #expect(told.status == 0 && told.output.contains("sessions ended: 2, "), "\(told.output)\(told.complaint)")
        #expect(told.output.contains("(process \(second.processID))"), "\(told.output)")
        for (index, device) in [trial.device, other].enumerated() {
            for client in [trial.server.client, second.client] {
                var device = device
                device.client = client
                #expect(try device.pull().status == 401, "\(index)")
                #expect(try device.send("POST", "/v2/auth/refresh").status == 401)
            }
        }
        for client in [trial.server.client, second.client] {
            #expect(try client.send("PUT", upload, body: "0123456789").status == 404)
        }
        #expect(try trial.fileIDs.count == 1 && !trial.fileIDs.contains(old))
        #expect(try trial.sql("SELECT state FROM master_keys WHERE key_id = '\(old)'") == ["compromised"])

        let new = try #require(try trial.fileIDs.first)
        #expect(try trial.hasWorkingLogin(until: new))
        #expect(try second.adminClient.send("GET", "/readyz").status == 503)
        let credentials = #"{"email":"\#(trial.device.email)","password":"\#(Device.password)"}"#
        #expect(try second.client.send("POST", "/v2/auth/login", body: credentials).status == 503)
        try trial.copySecret(to: second.data)
        try second.awaitReady()
        #expect(try trial.hasWorkingLogin(at: second))
    }

    @Test("A damaged sealed secret stops a rotation with its row, and does not stop secret compromised")
    func damaged() throws {
        let trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        let app = try TrialApp(trial)
        #expect(try app.logIn() == "200")
        _ = try trial.sql(
            "UPDATE totp_secrets SET sealed_secret = set_byte(sealed_secret, 20, get_byte(sealed_secret, 20) # 1)"
        )
        let row = "totp_secrets \(trial.device.userID)"
        let refused = try trial.run("rotate")
        #expect(refused.status != 0 && refused.complaint.contains(row), "\(refused.complaint)")
        #expect(try trial.device.pull().status == 200)
        let told = try trial.run("compromised")
        #expect(told.status == 0 && told.output.contains(row), "\(told.output)\(told.complaint)")
        #expect(try trial.device.pull().status == 401)
        #expect(try trial.sql("SELECT count(*) FROM sessions WHERE ended_at IS NULL") == ["0"])
    }

    @Test("secret compromised replaces a lost master key")
    func lost() throws {
        var trial = try KeyTrial()
        #expect(try trial.server.stop() == 0)
        try FileManager.default.removeItem(atPath: trial.secretPath)
        #expect(try trial.run("compromised").status == 0)
        try trial.startAgain()
        defer { _ = try? trial.server.stop() }
        #expect(try trial.device.pull().status == 401)
        #expect(try trial.hasWorkingLogin())
    }

    @Test("A backup from before a rotation restores its sessions and their key")
    func restoredAfterRotation() throws {
        var trial = try KeyTrial()
        let old = try #require(trial.device.keyID)
        let file = trial.server.folder + "/backup.tar"
        try Operator.succeed(["backup", file] + trial.places)
        let new = try trial.rotate()
        let lost = try trial.logIn(until: new)
        #expect(try trial.server.stop() == 0)
        let told = try Operator.succeed(["restore", file, "--unauthenticated", "--replace"] + trial.places)
        #expect(!told.contains("can't start"), "\(told)")
        #expect(try trial.fileIDs == [old])
        try trial.startAgain()
        defer { _ = try? trial.server.stop() }
        #expect(try trial.device.use() == ["201", "200"])
        var later = lost
        later.client = trial.server.client
        #expect(try later.pull().verdict == "401 token-invalid")
        #expect(try trial.rotate() != new)
    }

    @Test("A backup from before a theft does not bring the stolen key back into use")
    func restoredAfterTheft() throws {
        var trial = try KeyTrial()
        let stolen = try #require(trial.device.keyID)
        let file = trial.server.folder + "/backup.tar"
        try Operator.succeed(["backup", file] + trial.places)
        #expect(try trial.server.stop() == 0)
        #expect(try trial.run("compromised").status == 0)
        let told = try Operator.succeed(["restore", file, "--unauthenticated", "--replace"] + trial.places)
        #expect(
            told.contains("the server can't start yet") && told.contains("run neuroviews-server secret compromised")
        )
        let refused = try Operator.run(["serve"] + trial.places)
        #expect(refused.status == 69 && refused.complaint.contains("were reported as compromised"))
        #expect(try trial.run("compromised").status == 0)
        #expect(try !trial.fileIDs.contains(stolen))
        try trial.startAgain()
        defer { _ = try? trial.server.stop() }
        #expect(try trial.device.pull().status == 401)
        #expect(try trial.hasWorkingLogin())
    }
}
