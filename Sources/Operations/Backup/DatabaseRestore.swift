import CloudSync
import CommandWords
import Glibc
import Machine
import Postgres
import PrivateCluster

/// Replaces the content of the database by the rows of a dump. All is one transaction, so a killed restore changes
/// nothing. SQL of the dump is never executed.
struct DatabaseRestore {
    let connectionString: String
    let programs: ClientPrograms
    /// The folder of the programs' logs.
    let folder: String
    /// The rights with which the dump is read.
    let rights: FolderRights

    /// `id` names the restore: the former schema is kept as `neuroviews_before_<id>`.
    func run(dump: String, manifest: BackupManifest, id: String) throws {
        do {
            let log = folder + "/pg_restore.log"
            let contents = try rights.use {
                try DumpContents.read(dump, programs, log: log)
            }
            let session = try BlockingSession(connectionString)
            try session.execute(AnalyticsMonths.keep)
            try session.execute(Self.beginning(id))
            let tables = try RestoredTables(session, migration: manifest.migration, contents)
            try load(dump, log: log, into: tables)
            try tables.finish()
            try session.execute(Self.end(id))
            try session.execute("COMMIT")
        } catch {
            throw Self.failure(error)
        }
    }

    private func load(_ dump: String, log: String, into tables: RestoredTables) throws {
        let reading = try startReading(dump, log: log)
        let program = reading.program
        defer { if program.isRunning { program.kill() } }
        var text = CopyText()
        while case let bytes = try reading.output.readSome(maxBytes: Self.pieceBytes), !bytes.isEmpty {
            try text.read(bytes, tables)
        }
        guard program.wait(seconds: 60) == 0 else {
            let output = try rights.use { try FileDescriptor.readText(log, maxBytes: 65536) }
            throw CommandFailure("pg_restore failed", because: output, writingTo: folder, status: .data)
        }
        try text.finish()
    }

    /// A running pg_restore and its output.
    private struct Reading: ~Copyable {
        let program: ChildProcess
        let output: FileDescriptor
    }

    private static let pieceBytes = 65536

    private func startReading(_ dump: String, log: String) throws -> Reading {
        let ends = try PipeEnds()
        let command = programs.command("pg_restore", ["--data-only", "--file=-", dump])
        let program = try rights.use {
            try ChildProcess(command, log: log, streams: .init(output: ends.writing.number))
        }
        return Reading(program: program, output: ends.reading)
    }

    private static func failure(_ error: any Error) -> CommandFailure {
        let (reason, status): (String, ExitStatus) =
            switch error {
            case let error as CommandFailure: (error.description, error.status)
            // Classes 22 and 23: values and rows that the tables reject.
            case DatabaseError.refused(let refusal):
                ("\(refusal.message).", ["22", "23"].contains(refusal.state.prefix(2)) ? .data : .unavailable)
            case let error as DatabaseError: (error.sentence, .unavailable)
            default: ("\(error)", .unavailable)
            }
        return CommandFailure("The database was not restored, and is as it was: \(reason)", status: status)
    }

    /// The lock keeps servers from starting meanwhile. Running servers are detected by their sessions.
    private static func beginning(_ id: String) -> String {
        """
        SET application_name = 'neuroviews-restore';
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
        $restore$

        """
    }

    /// The comment on the schema shows later if an interrupted restore was committed.
    ///
    /// The next connection of a server begins another lineage: times that clients read after the backup may belong to
    /// lost changes.
    private static func end(_ id: String) -> String {
        """
        DO $restore$
        DECLARE
            name text;
        BEGIN
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
        COMMENT ON SCHEMA neuroviews IS '\(RestoreJournal.note(id))'
        """
    }
}
