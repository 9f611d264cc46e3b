import Foundation
import Net
import Postgres
import TestSupport
import Testing

@Suite("Interrupted changes of the master key", .inFull, .blocking)
struct InterruptedRotationTests {
    private let trial: KeyTrial
    private let old: String
    private let blocker: BlockingSession
    private static let lock = "(hashtext('neuroviews.master_keys'))"

    /// A stopped server with a session.
    init() throws {
        trial = try KeyTrial()
        #expect(try trial.server.stop() == 0)
        old = try #require(trial.device.keyID)
        blocker = try BlockingSession(trial.database)
        try blocker.execute("SET application_name = 'test'; SET search_path = neuroviews")
    }

    private func start(_ action: String) throws -> SpawnedProgram {
        try Operator.start(["secret", action] + trial.places)
    }

    private func awaitBlocked() throws {
        try Deadline.wait("a command that waits", seconds: 60) {
            try !trial.sql(
                """
                SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                    AND application_name = 'neuroviews-server'
                """
            ).isEmpty
        }
    }

    private func kill(_ command: SpawnedProgram) throws {
        try Operator.kill(command)
        try blocker.execute("SELECT pg_advisory_unlock_all()")
        // A session that waits for a lock notices only afterwards that its client is gone. Then it finishes its work as
        // far as possible.
        try Deadline.wait("the end of the command's session", seconds: 60) {
            try trial.sql(
                """
                SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND application_name = 'neuroviews-server'
                """
            ).isEmpty
        }
    }

    /// Starts the server, and expects that the session works or does not. Then the command succeeds.
    private func expectGoesOn(_ action: String, sessionLives: Bool = true) throws {
        var trial = trial
        try trial.startAgain()
        let verdicts = try trial.device.use()
        #expect(sessionLives ? verdicts == ["201", "200"] : verdicts.allSatisfy { $0.hasPrefix("401") }, "\(verdicts)")
        #expect(try trial.hasWorkingLogin())
        #expect(try trial.server.stop() == 0)
        let again = try trial.run(action)
        #expect(again.status == 0, "\(again.complaint)")
        try trial.startAgain()
        #expect(try trial.hasWorkingLogin())
        #expect(try trial.server.stop() == 0)
        #expect(try trial.fileIDs.count == (action == "rotate" ? 2 : 1))
    }

    @Test("A rotation that is killed before the database knows its key can be repeated")
    func fileFirst() throws {
        try blocker.execute("SELECT pg_advisory_lock\(Self.lock)")
        let rotation = try start("rotate")
        try awaitBlocked()
        try kill(rotation)
        #expect(try trial.fileIDs.count == 2 && trial.fileIDs.last == old)
        #expect(try trial.sql("SELECT state FROM master_keys") == ["current"])
        try expectGoesOn("rotate")
    }

    /// Starts a rotation that waits for a server: for 89 seconds, since a note that is more than a minute ahead counts for nothing.
    private func startWaiting() throws -> SpawnedProgram {
        try blocker.execute(
            """
            INSERT INTO server_keys (server_id, host, process, key_ids, missing_ids, seen_at)
            VALUES (gen_random_uuid(), 'slow', 1, '{}', '{}', now() + interval '59 seconds')
            """
        )
        let rotation = try start("rotate")
        try Deadline.wait("a prepared key", seconds: 60) {
            try trial.sql("SELECT state FROM master_keys WHERE state = 'prepared'").count == 1
        }
        return rotation
    }

    @Test("A rotation that is killed after the key is prepared goes on with the same key")
    func prepared() throws {
        let rotation = try startWaiting()
        let key = try #require(trial.sql("SELECT key_id FROM master_keys WHERE state = 'prepared'").first)
        try kill(rotation)
        try blocker.execute("DELETE FROM server_keys")
        #expect(try trial.fileIDs == [key, old])
        try expectGoesOn("rotate")
        #expect(try trial.fileIDs == [key, old], "it goes on with the same key")
    }

    @Test("A rotation that is killed before the key is current can be repeated")
    func activation() throws {
        let rotation = try startWaiting()
        try blocker.execute("SELECT pg_advisory_lock\(Self.lock)")
        try blocker.execute("DELETE FROM server_keys")
        try awaitBlocked()
        try kill(rotation)
        #expect(try trial.sql("SELECT state FROM master_keys ORDER BY state") == ["current", "prepared"])
        try expectGoesOn("rotate")
    }

    @Test("A rotation that is killed after the key is current keeps old sessions working")
    func tidying() throws {
        try blocker.execute("BEGIN; LOCK TABLE recording_files IN ACCESS EXCLUSIVE MODE")
        let rotation = try start("rotate")
        try awaitBlocked()
        try Operator.kill(rotation)
        try blocker.execute("ROLLBACK")
        #expect(try trial.sql("SELECT state FROM master_keys ORDER BY state") == ["current", "previous"])
        var trial = trial
        try trial.startAgain()
        #expect(try trial.device.use() == ["201", "200"] && trial.device.keyID == old)
        #expect(try trial.logIn().keyID != old)
        #expect(try trial.server.stop() == 0)
        #expect(try trial.run("rotate").status == 0)
        #expect(try trial.fileIDs.count == 3 && trial.fileIDs.last == old)
    }

    @Test("secret compromised that is killed before the database's change leaves the old key in use")
    func compromisedFile() throws {
        try blocker.execute("SELECT pg_advisory_lock\(Self.lock)")
        let command = try start("compromised")
        try awaitBlocked()
        try kill(command)
        #expect(try trial.fileIDs.count == 2 && trial.fileIDs.last == old)
        try expectGoesOn("compromised")
    }

    @Test("secret compromised that fails after the database's change leaves only the new key in use")
    func compromisedDatabase() throws {
        try blocker.execute("SELECT pg_advisory_lock\(Self.lock)")
        let command = try start("compromised")
        try awaitBlocked()
        // A folder in the file's place prevents another write.
        try FileManager.default.createDirectory(atPath: trial.secretPath + ".new", withIntermediateDirectories: false)
        try blocker.execute("SELECT pg_advisory_unlock_all()")
        try Deadline.wait("the end of the command", seconds: 60) { !command.isRunning }
        #expect(command.status == 73)
        try FileManager.default.removeItem(atPath: trial.secretPath + ".new")
        #expect(try trial.fileIDs.last == old)
        #expect(try trial.sql("SELECT state FROM master_keys ORDER BY state") == ["compromised", "current"])
        try expectGoesOn("compromised", sessionLives: false)
    }
}
