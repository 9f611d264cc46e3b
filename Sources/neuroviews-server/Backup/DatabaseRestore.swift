import Foundation
import Postgres

/// Puts a dump in the place of what the database holds: one transaction, which a kill on the way takes back.
struct DatabaseRestore {
    let programs: ClientPrograms
    let credentials: ProgramCredentials
    /// Where the programs' messages go.
    let folder: String

    /// psql prints these, each on a line: everything before has been done.
    private static let loaded = "neuroviews: loaded"
    private static let committed = "neuroviews: committed"

    /// `id` names the restore: the former schema is kept as `neuroviews_before_<id>`.
    func run(dump: String, manifest: BackupManifest, id: String) throws {
        let psql = try Psql(programs, credentials, log: folder + "/psql.log")
        psql.say(Self.beginning(id))
        let result = try load(dump, into: psql.input)
        // The commit is said when the dump has come through whole and was taken. Until then, an end of this process is the
        // end of what psql reads, and nothing happens.
        var isCommitted = false
        if result.status == 0 {
            psql.say(Self.end(id, manifest) + "\\echo \(Self.loaded)\n")
            if psql.awaitLine(Self.loaded) {
                psql.say("COMMIT;\n\\echo \(Self.committed)\n")
                isCommitted = psql.awaitLine(Self.committed)
            }
        }
        psql.end()
        guard !isCommitted else { return }
        let complaint = try FileDescriptor.readText(folder + "/psql.log", maxBytes: 65536)
        // psql's failure comes first: pg_restore then only finds its pipe closed.
        let reason = complaint.contains("error:") || complaint.contains("ERROR:") ? complaint : result.output
        throw CommandFailure(
            "The database was not restored, and is as it was: \(ProgramOutput.firstUsefulLine(reason))."
        )
    }

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

    /// The lock keeps servers from starting meanwhile; those that run are told from their sessions.
    private static func beginning(_ id: String) -> String {
        """
        BEGIN;
        SELECT pg_advisory_xact_lock(\(Migrator.lock));
        DO $restore$
        DECLARE
            isServed boolean;
            name text;
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
                -- Addresses of people without an account, and what waits for a mail or a second factor: no erasure would find these rows.
                FOR name IN SELECT c.relname FROM pg_class c
                    WHERE c.relnamespace = 'neuroviews_before_\(id)'::regnamespace AND c.relkind = 'r' AND (
                        c.relname = 'second_factor_challenges' OR c.relname <> 'users' AND EXISTS (
                            SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'email' AND NOT a.attisdropped
                        ) AND NOT EXISTS (
                            SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped)) LOOP
                    EXECUTE format('TRUNCATE neuroviews_before_\(id).%I', name);
                END LOOP;
            END IF;
        END
        $restore$;
        \(Migrator.current.roles)
        SET ROLE neuroviews_owner;

        """
    }

    /// The comment tells an interrupted restore that was committed from one that was not.
    ///
    /// The next connection of a server begins another lineage: times that clients read after the backup may be of lost changes.
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
            UPDATE neuroviews.lineage SET value = 'restored';
            -- A master key that was stolen after the backup must not serve again.
            IF to_regclass('neuroviews_before_\(id).master_keys') IS NOT NULL THEN
                INSERT INTO neuroviews.master_keys (key_id, check_value, state, since)
                SELECT key_id, check_value, state, since FROM neuroviews_before_\(id).master_keys WHERE state = 'compromised'
                ON CONFLICT (key_id) DO UPDATE SET state = excluded.state, since = excluded.since;
            END IF;
            FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'neuroviews' LOOP
                EXECUTE format('ANALYZE neuroviews.%I', name);
            END LOOP;
        END
        $restore$;
        COMMENT ON SCHEMA neuroviews IS '\(RestoreJournal.note(id))';

        """
    }
}
