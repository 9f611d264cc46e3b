import Foundation
import Migrations
import Postgres

/// Puts a dump in the place of what the database holds: one transaction, which a kill on the way takes back.
struct DatabaseRestore {
    let programs: ClientPrograms
    let credentials: ProgramCredentials
    /// Where the programs' messages go.
    let folder: String

    /// Whether the transaction has been committed is known by this word in psql's output.
    private static let done = "neuroviews: committed"

    /// `id` names the restore: the former schema is kept as `neuroviews_before_<id>`.
    func run(dump: String, manifest: BackupManifest, id: String) throws {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        let psql = try ChildProcess(
            programs.command("psql", Self.psqlArguments + credentials.arguments),
            log: folder + "/psql.log",
            streams: .init(input: pipe.fileHandleForReading),
            environment: credentials.environment
        )
        try? pipe.fileHandleForReading.close()
        // psql that has ended takes nothing more; its own words say why.
        try? pipe.fileHandleForWriting.write(contentsOf: Data(Self.beginning(id).utf8))
        let result = try load(dump, into: pipe.fileHandleForWriting)
        // The commit is said only behind a dump that came through whole: a pipe that ends early commits nothing.
        if result.status == 0 {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(Self.end(id, manifest).utf8))
        }
        try? pipe.fileHandleForWriting.close()
        let status = psql.wait(seconds: Double(BackupArchive.maxSeconds))
        try check(status, result)
    }

    private static let psqlArguments = [
        "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--no-password", "--set=ON_ERROR_STOP=1",
        "--set=VERBOSITY=terse", "--set=SHOW_CONTEXT=never", "--file=-",
    ]

    private func load(_ dump: String, into pipe: FileHandle) throws -> ChildProcess.Result {
        let arguments = ["--no-owner", "--no-tablespaces", "--schema=neuroviews", "--file=-", dump]
        let log = folder + "/pg_restore.log"
        let restore = try ChildProcess(
            programs.command("pg_restore", arguments),
            log: log,
            streams: .init(output: pipe)
        )
        guard let status = restore.wait(seconds: Double(BackupArchive.maxSeconds)) else {
            kill(restore.number, SIGKILL)
            throw CommandFailure("pg_restore did not end in \(BackupArchive.maxSeconds) s.")
        }
        return ChildProcess.Result(status: status, output: try FileDescriptor.readText(log, maxBytes: 65536))
    }

    private func check(_ status: Int32?, _ load: ChildProcess.Result) throws {
        let output = try FileDescriptor.readText(folder + "/psql.log", maxBytes: 1 << 20)
        if status == 0, output.contains(Self.done) { return }
        // psql's failure comes first: pg_restore then only finds its pipe closed.
        let reason = output.contains("ERROR:") || load.status == 0 ? output : load.output
        throw CommandFailure(
            "The database was not restored, and is as it was: \(ProgramOutput.firstUsefulLine(reason))."
        )
    }

    /// The lock keeps servers from starting meanwhile; those that run are told from their sessions.
    private static func beginning(_ id: String) -> String {
        """
        BEGIN;
        SELECT pg_advisory_xact_lock(\(Migrator.lock));
        DO $restore$
        DECLARE
            isServed boolean;
        BEGIN
            -- A session that has just been closed is listed for some more milliseconds.
            FOR attempt IN 1..40 LOOP
                PERFORM pg_stat_clear_snapshot();
                isServed := EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                    AND application_name = 'neuroviews-server' AND wait_event_type IS DISTINCT FROM 'Lock');
                EXIT WHEN NOT isServed;
                PERFORM pg_sleep(0.05);
            END LOOP;
            IF isServed THEN
                RAISE EXCEPTION 'a server is running on this database, so stop it first';
            END IF;
            IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'neuroviews') THEN
                ALTER SCHEMA neuroviews RENAME TO neuroviews_before_\(id);
            END IF;
        END
        $restore$;
        \(Migration.roles)
        SET ROLE neuroviews_owner;

        """
    }

    /// Every account gets a new epoch, wherever the backup comes from: what clients know from after it is no longer so.
    private static func end(_ id: String, _ manifest: BackupManifest) -> String {
        """

        RESET ALL; SET ROLE neuroviews_owner;
        DO $restore$
        DECLARE
            found integer := (SELECT max(number) FROM neuroviews.schema_migrations);
            name text;
        BEGIN
            IF found IS DISTINCT FROM \(manifest.migration) THEN
                RAISE EXCEPTION 'the dump has migration %, the manifest \(manifest.migration)', found;
            END IF;
            UPDATE neuroviews.sync_heads SET epoch = gen_random_uuid();
            DELETE FROM neuroviews.lineage;
            FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'neuroviews' LOOP
                EXECUTE format('ANALYZE neuroviews.%I', name);
            END LOOP;
        END
        $restore$;
        COMMENT ON SCHEMA neuroviews IS '\(RestoreJournal.note(id))';
        COMMIT;
        \\echo \(done)

        """
    }
}
