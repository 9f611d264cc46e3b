import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Interrupted backups and restores", .inFull, .blocking)
struct InterruptedBackupTests {
    private let database: String
    private let folder = Sandbox.makeFolder()
    private let places: [String]
    private var data: String { folder + "/data" }
    private var file: String { folder + "/backup.tar" }

    /// A database with one account, which a server has used.
    init() throws {
        database = try TestCluster.shared.get().makeDatabase()
        places = ["--data", folder + "/data", "--database-url", database]
        let added = try Program.run(
            [Program.server, "user", "add", "ana@example.org"] + places,
            input: Device.password + "\n"
        )
        guard added.status == 0 else { throw Program.Failure(added.complaint) }
    }

    private func session() throws -> BlockingSession {
        let session = try BlockingSession(database)
        // With this name, commands don't take the session for a server's.
        try session.execute("SET application_name = 'test'")
        return session
    }

    private func state(_ session: BlockingSession) throws -> String {
        let rows = try session.execute(
            """
            SELECT (SELECT string_agg(email, ',') FROM neuroviews.users), 'neuroviews.sync_heads'::regclass::oid,
                (SELECT string_agg(nspname, ',') FROM pg_namespace WHERE nspname LIKE 'neuroviews%')
            """
        )
        return (0..<3).map { rows.first?.text($0) ?? "-" }.joined(separator: " ")
    }

    /// Waits until a session of this program waits for a lock.
    private func awaitBlocked(_ program: String, _ session: BlockingSession) throws {
        let sql = """
            SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = '\(program)'
                AND wait_event_type = 'Lock'
            """
        try Deadline.wait("\(program) that waits", seconds: 60) { try session.execute(sql).count > 0 }
    }

    private func awaitGone(_ program: String, _ session: BlockingSession) throws {
        let sql = """
            SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = '\(program)'
            """
        try Deadline.wait("the end of \(program)", seconds: 60) { try session.execute(sql).count == 0 }
    }

    @Test("A killed backup leaves the one before unchanged, and the next one succeeds")
    func killedBackup() throws {
        try Operator.succeed(["backup", file] + places)
        let before = FileManager.default.contents(atPath: file)
        let (blocker, watcher) = (try session(), try session())
        // Only pg_dump uses this table.
        try blocker.execute("BEGIN; LOCK TABLE neuroviews.devices IN ACCESS EXCLUSIVE MODE")
        let backup = try Operator.start(["backup", file] + places)
        try awaitBlocked("pg_dump", watcher)
        #expect(try Operator.run(["backup", file] + places).status == 75)
        try Operator.kill(backup)
        #expect(Operator.exists(file + ".partial"))
        // A session that waits for a lock notices only afterwards that its client is gone.
        try blocker.execute("ROLLBACK")
        try awaitGone("pg_dump", watcher)
        #expect(FileManager.default.contents(atPath: file) == before)
        // As after a night: the next backup has another name.
        let told = try Operator.succeed(["backup", folder + "/other.tar"] + places)
        #expect(told.hasPrefix("removed \(file).partial, "), "\(told)")
        #expect(!Operator.exists(file + ".partial"))
        try Operator.succeed(["backup", file] + places)
        #expect(FileManager.default.contents(atPath: file) != before)
    }

    @Test("A month of events stays while a backup is made, and is dropped after it")
    func keptMonths() throws {
        let (blocker, watcher) = (try session(), try session())
        let drop = "SELECT neuroviews.drop_analytics_month(400)"
        try watcher.execute("SELECT neuroviews.create_analytics_months('2020-01-01', '2020-01-01')")
        try blocker.execute("BEGIN; LOCK TABLE neuroviews.devices IN ACCESS EXCLUSIVE MODE")
        let backup = try Operator.start(["backup", file] + places)
        try awaitBlocked("pg_dump", watcher)
        #expect(try watcher.execute(drop).count == 0)
        try blocker.execute("ROLLBACK")
        try Deadline.wait("the end of the backup", seconds: 60) { !backup.isRunning }
        #expect(backup.status == 0)
        #expect(try watcher.execute(drop).count == 1)
    }

    @Test("A backup that is being made has no session that a restore takes for a server's")
    func noServer() throws {
        let (blocker, watcher) = (try session(), try session())
        try blocker.execute("BEGIN; LOCK TABLE neuroviews.devices IN ACCESS EXCLUSIVE MODE")
        let backup = try Operator.start(["backup", file] + places)
        try awaitBlocked("pg_dump", watcher)
        try awaitGone("neuroviews-server", watcher)
        try blocker.execute("ROLLBACK")
        try Deadline.wait("the end of the backup", seconds: 60) { !backup.isRunning }
    }

    @Test("A backup to a full disk leaves the one before unchanged, and no partial file")
    func fullDisk() throws {
        try Operator.succeed(["backup", file] + places)
        let before = FileManager.default.contents(atPath: file)
        // The limit is 8 KiB: less than the dump, and more than the parts before it. Without the signal, the write
        // returns an error.
        let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\""
        let command = ["/bin/sh", "-c", script, Program.server, "backup", file]
        // ThreadSanitizer first writes a file of its own in this folder, and crashes if that file is cut off.
        let program = try Program.run(command + places, environment: ["TEST_TMPDIR": "/nowhere"])
        #expect(program.status == 73, "\(program.complaint)")
        #expect(program.complaint.contains("File too large"))
        #expect(FileManager.default.contents(atPath: file) == before)
        #expect(!Operator.exists(file + ".partial"))
    }

    @Test(
        "A backup and a restore on a full disk name it, although the programs' messages are lost",
        .enabled(if: getuid() == 0, "needs root")
    )
    func fullVolume() throws {
        let recordings = data + "/objects/objects/00"
        try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
        try Data(count: 2 << 20).write(to: URL(fileURLWithPath: recordings + "/one"))
        try Operator.succeed(["backup", file] + places)
        let (volume, database) = (folder + "/volume", Array(places.suffix(2)))
        try FileManager.default.createDirectory(atPath: volume, withIntermediateDirectories: false)
        // In 8 KiB is no room for the dump, and in 1 MiB none for the recording.
        let backup = ["backup", volume + "/backup.tar"] + places
        let restore = ["restore", file, "--unauthenticated", "--replace", "--data", volume + "/data"] + database
        for (size, command) in [("8k", backup), ("1m", restore)] {
            let mount = try Program.run(["mount", "-t", "tmpfs", "-o", "size=\(size),mode=755", "tmpfs", volume])
            try #require(mount.status == 0, "\(mount.complaint)")
            defer { _ = try? Program.run(["umount", "-l", volume]) }
            let program = try Operator.run(command)
            #expect(program.status == 73, "\(program.complaint)")
            #expect(
                program.complaint == "neuroviews-server: The disk is full: No space left on device.\n",
                "\(program.complaint)"
            )
        }
    }

    /// Makes the restore wait at the statement `tag`, by a trigger in the database.
    private func hold(_ tag: String) throws {
        try session().execute(
            """
            CREATE FUNCTION public.hold() RETURNS event_trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(42); END';
            CREATE EVENT TRIGGER hold ON ddl_command_start WHEN TAG IN ('\(tag)') EXECUTE FUNCTION public.hold()
            """
        )
    }

    @Test(
        "A restore that is killed before its commit leaves the old state usable",
        arguments: ["ALTER SCHEMA", "CREATE POLICY", "COMMENT"]
    )
    func killedRestore(tag: String) throws {
        try Operator.succeed(["backup", file] + places)
        let (blocker, watcher) = (try session(), try session())
        try hold(tag)
        let secret = FileManager.default.contents(atPath: data + "/secret.key")
        let before = try state(watcher)
        try blocker.execute("SELECT pg_advisory_lock(42)")
        let restore = try Operator.start(["restore", file, "--unauthenticated", "--replace"] + places)
        try awaitBlocked("neuroviews-restore", watcher)
        #expect(Operator.exists(data + "/restore.pending"))
        #expect(try Operator.run(["backup", file] + places).status == 75)
        try Operator.kill(restore)
        try blocker.execute("SELECT pg_advisory_unlock(42)")
        try awaitGone("neuroviews-restore", watcher)
        try blocker.execute("DROP EVENT TRIGGER hold")
        let after = try state(watcher)
        #expect(after == before)
        // The next command with this database cleans up.
        try Operator.succeed(["backup", file] + places)
        #expect(!Operator.tree(data).contains { $0.hasPrefix("restore.") })
        #expect(FileManager.default.contents(atPath: data + "/secret.key") == secret)
        try Operator.succeed(["restore", file, "--unauthenticated", "--replace"] + places)
    }

    @Test("A restore that is interrupted after its commit is finished by the next start")
    func files() throws {
        try Operator.succeed(["backup", file] + places)
        let secret = try #require(FileManager.default.contents(atPath: data + "/secret.key"))
        let place = folder + "/secrets/secret.key"
        let command = ["restore", file, "--unauthenticated", "--replace", "--secret-file", place] + places
        // If the secret can't be written, the restore does not begin.
        let before = try state(try session())
        #expect(try Operator.run(command).complaint.contains("cannot create \(folder)/secrets/"))
        #expect(try state(try session()) == before)
        // A folder in the secret's place makes the last step fail.
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let restore = try Operator.run(command)
        #expect(restore.status == 69)
        #expect(restore.complaint.contains("it goes on with the next start"), "\(restore.complaint)")
        #expect(Operator.exists(data + "/restore.pending"))
        #expect(Operator.tree(folder + "/secrets").contains { $0.hasPrefix("secret.key.restored-") })
        try FileManager.default.removeItem(atPath: place)
        let server = try ServerProcess(
            ["--secret-file", place, "--database-url", database],
            folder: folder
        )
        #expect(FileManager.default.contents(atPath: place) == secret)
        #expect(!Operator.tree(data).contains { $0.hasPrefix("restore.") })
        _ = try Device.logIn(server.client, "ana@example.org")
        #expect(try server.stop() == 0)
    }

    /// Another machine's key.
    private static let strange = Data((0..<32).map { UInt8($0) })

    /// Makes a folder with a secret file.
    private func makeSecret(_ path: String, _ key: Data) throws {
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
            withIntermediateDirectories: true
        )
        try key.write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o600) == 0)
    }

    @Test("A start with another secret file keeps an interrupted restore and its key, and names the remedy")
    func credential() throws {
        try Operator.succeed(["backup", file] + places)
        let secret = try #require(FileManager.default.contents(atPath: data + "/secret.key"))
        let place = folder + "/secrets/secret.key"
        let named = ["--secret-file", place] + places
        // A folder in the secret's place makes the last step fail.
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        #expect(try Operator.run(["restore", file, "--unauthenticated", "--replace"] + named).status == 69)
        try FileManager.default.removeItem(atPath: place)
        // The server under systemd sees a copy of the old key.
        try makeSecret(folder + "/credentials/secret.key", Self.strange)
        let credentials = ["CREDENTIALS_DIRECTORY": folder + "/credentials"]
        let start = try Operator.run(["serve"] + places, environment: credentials)
        #expect(start.status == 69)
        #expect(
            start.complaint.contains("run neuroviews-server migrate with the --secret-file of the restore"),
            "\(start.complaint)"
        )
        #expect(Operator.exists(data + "/restore.pending"))
        try Operator.succeed(["migrate"] + named)
        #expect(FileManager.default.contents(atPath: place) == secret)
        #expect(Operator.tree(folder + "/secrets") == ["secret.key"])
        #expect(!Operator.tree(data).contains { $0.hasPrefix("restore.") })
    }

    @Test("The key of a restore that another process has ended is removed once the secret file fits")
    func forgottenKey() throws {
        let secret = try #require(FileManager.default.contents(atPath: data + "/secret.key"))
        let place = folder + "/secrets/secret.key"
        let named = ["--secret-file", place] + places
        let forgotten = place + ".restored-20261121t100000_3f2a"
        try makeSecret(forgotten, secret)
        try makeSecret(place + ".restored-by-hand", secret)
        try makeSecret(place, Self.strange)
        #expect(try Operator.run(["backup", file] + named).status == 69)
        #expect(Operator.exists(forgotten))
        try makeSecret(place, secret)
        try Operator.succeed(["backup", file] + named)
        #expect(Operator.tree(folder + "/secrets") == ["secret.key", "secret.key.restored-by-hand"])
    }

    @Test("A restore behind a linked secret file keeps the former key under a name of its own")
    func linkedSecret() throws {
        try Operator.succeed(["backup", file] + places)
        let secrets = folder + "/secrets"
        let (link, target) = (secrets + "/secret.key", secrets + "/real")
        try makeSecret(target, Self.strange)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try Operator.succeed(["restore", file, "--unauthenticated", "--replace", "--secret-file", link] + places)
        let kept = try #require(Operator.tree(secrets).first { $0.hasPrefix("secret.key.before-") })
        #expect(FileManager.default.contents(atPath: "\(secrets)/\(kept)") == Self.strange)
        #expect(
            FileManager.default.contents(atPath: target)
                == FileManager.default.contents(atPath: data + "/secret.key")
        )
    }
}
