import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Changes of the master key during damage and logins", .inFull, .blocking)
struct SecretDamageTests {
    @Test("A sealed secret that does not open stops a rotation, and does not save a stolen key")
    func unreadable() throws {
        let trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        _ = try TrialApp(trial)
        let stolen = try #require(trial.device.keyID)
        try trial.sql(
            "UPDATE totp_secrets SET sealed_secret = set_byte(sealed_secret, 20, get_byte(sealed_secret, 20) # 1)"
        )
        let before = try trial.sql("SELECT sealed_secret::text FROM totp_secrets")
        let name = "totp_secrets \(trial.device.userID)"
        let rotated = try trial.run("rotate")
        #expect(rotated.status == 69 && rotated.complaint.contains(name), "\(rotated.complaint)")
        #expect(try trial.sql("SELECT key_id FROM master_keys WHERE state = 'current'") == [stolen])
        #expect(try trial.sql("SELECT master_key_id FROM totp_secrets") == [stolen])

        let told = try trial.run("compromised")
        #expect(told.status == 0 && told.output.contains(name), "\(told.output)\(told.complaint)")
        #expect(try trial.sql("SELECT state FROM master_keys WHERE key_id = '\(stolen)'") == ["compromised"])
        #expect(try trial.device.pull().status == 401)
        #expect(try trial.sql("SELECT sealed_secret::text FROM totp_secrets") == before)
    }

    @Test("A rotation waits for a login that holds the key, without a deadlock")
    func order() throws {
        let trial = try KeyTrial()
        defer { _ = try? trial.server.stop() }
        _ = try TrialApp(trial)
        // The statements of a login, one by one.
        let login = try BlockingSession(trial.database)
        try login.execute("SET search_path = neuroviews; BEGIN; SELECT FROM master_keys FOR SHARE")
        let rotation = try Operator.start(["secret", "rotate"] + trial.places)
        try Deadline.wait("a rotation that waits", seconds: 60) {
            try !trial.sql(
                """
                SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                    AND wait_event = 'transactionid'
                """
            ).isEmpty
        }
        try login.execute("UPDATE totp_secrets SET last_step = 1; COMMIT")
        try Deadline.wait("the end of the rotation", seconds: 60) { !rotation.isRunning }
        #expect(rotation.status == 0)
        #expect(try trial.sql("SELECT last_step FROM totp_secrets") == ["1"])
    }
}
