import Foundation
import Postgres
import TestSupport
import Testing

@Suite("A hostile backup runs nothing", .inFull, .blocking)
struct HostileBackupTests {
    private let database: String
    private let places: [String]
    private let backup: UnpackedBackup
    /// The file that a program would create if the dump could start one.
    private let canary = "/tmp/nv-\(UInt32.random(in: 0...(.max)))"

    /// A database with one account, and its backup. The login is a superuser, so it may do everything in a dump.
    init() throws {
        database = try TestCluster.shared.get().makeDatabase()
        places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", database]
        let added = try Program.run(
            [Program.server, "user", "add", "ana@example.org"] + places,
            input: Device.password + "\n"
        )
        guard added.status == 0 else { throw Program.Failure(added.complaint) }
        backup = try UnpackedBackup(places)
    }

    private func session() throws -> BlockingSession {
        let session = try BlockingSession(database)
        try session.execute("SET application_name = 'test'")
        return session
    }

    /// Replaces the rows in the backup by a dump of the whole database. `sql` changes the database before the dump.
    private func dumpAll(after sql: String, undo: String) throws {
        let session = try session()
        try session.execute("SET search_path = neuroviews; " + sql)
        let dump = try Program.run([
            "pg_dump", "-Fc", "--no-unlogged-table-data", "-f", backup.parts + "/database.dump", "-d", database,
        ])
        guard dump.status == 0 else { throw Program.Failure(dump.complaint) }
        try session.execute(undo)
        try backup.seal()
    }

    /// Objects of every kind, roles and rows.
    private func state() throws -> [String] {
        let rows = try session().execute(
            """
            SELECT concat_ws(' ', 'class', oid, relname, relowner, relacl) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_'
            UNION ALL SELECT concat_ws(' ', 'function', oid, proname) FROM pg_proc WHERE oid > 16384
            UNION ALL SELECT concat_ws(' ', 'trigger', oid, tgname) FROM pg_trigger
            UNION ALL SELECT concat_ws(' ', 'rule', oid, conname) FROM pg_constraint
            UNION ALL SELECT concat_ws(' ', 'event trigger', oid, evtname) FROM pg_event_trigger
            UNION ALL SELECT concat_ws(' ', 'extension', extname) FROM pg_extension
            UNION ALL SELECT concat_ws(' ', 'schema', oid, nspname, nspacl) FROM pg_namespace WHERE nspname !~ '^pg_'
            UNION ALL SELECT concat_ws(' ', 'user', id, email) FROM neuroviews.users
            UNION ALL SELECT concat_ws(' ', 'action', at, action) FROM neuroviews.operator_actions
            ORDER BY 1
            """
        )
        return (0..<rows.count).map { rows[$0].text(0) ?? "" }
    }

    private func expectRefusal(_ file: String, _ words: String, at location: SourceLocation = #_sourceLocation) throws {
        let before = try state()
        let program = try Operator.run(["restore", file, "--unauthenticated", "--replace"] + places)
        #expect(program.status == 65, "\(program.complaint)", sourceLocation: location)
        #expect(program.complaint.contains(words), "\(program.complaint)", sourceLocation: location)
        #expect(program.complaint.split(separator: "\n").count == 1, sourceLocation: location)
        #expect(!Operator.exists(canary), "it ran a program", sourceLocation: location)
        #expect(try state() == before, "it changed the database", sourceLocation: location)
        let left = Operator.tree(places[1]).filter { $0.hasPrefix("restore.") || $0.contains(".before-") }
        #expect(left == [], sourceLocation: location)
    }

    private var evil: String {
        "CREATE FUNCTION evil() RETURNS boolean LANGUAGE plpgsql AS $$BEGIN COPY (SELECT 1) TO PROGRAM 'touch \(canary)'; RETURN true; END$$;"
    }

    private var trigger: String {
        "CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM evil(); RETURN NEW; END$$;"
            + "CREATE TRIGGER fires BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION fire();"
    }

    @Test("A restore refuses functions, triggers, constraints, extensions and grants in the dump")
    func definitions() throws {
        let watch = "CREATE FUNCTION watch() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN END$$;"
        let cases: [(String, String)] = [
            (evil, "DROP FUNCTION evil"),
            (
                evil + trigger,
                "DROP FUNCTION fire CASCADE; DROP FUNCTION evil"
            ),
            (
                evil + "ALTER TABLE lineage ADD CONSTRAINT runs CHECK (evil()) NOT VALID",
                "DROP FUNCTION evil CASCADE"
            ),
            ("CREATE EXTENSION plperl", "DROP EXTENSION plperl"),
            (
                watch + "CREATE EVENT TRIGGER watches ON ddl_command_end EXECUTE FUNCTION watch()",
                "DROP FUNCTION watch CASCADE"
            ),
            ("GRANT ALL ON users TO PUBLIC", "REVOKE ALL ON users FROM PUBLIC"),
        ]
        for (sql, undo) in cases where try exists(sql) {
            try dumpAll(after: sql, undo: undo)
            try expectRefusal(try backup.pack(), "has an entry that does not belong into one")
        }
    }

    /// False if the statement needs an extension that this machine does not have.
    private func exists(_ sql: String) throws -> Bool {
        guard sql.hasPrefix("CREATE EXTENSION ") else { return true }
        let name = String(sql.dropFirst("CREATE EXTENSION ".count))
        return try session().execute("SELECT FROM pg_available_extensions WHERE name = $1", [name]).count > 0
    }

    private static let statement = "COPY neuroviews.lineage (singleton, value, began_at, salt) FROM stdin;"

    @Test("A restore refuses statements and foreign columns or tables in the place of rows")
    func statements() throws {
        let whole = backup.parts + "/database.dump"
        let right = try #require(FileManager.default.contents(atPath: whole))
        let cases = [
            ("COPY neuroviews.lineage FROM PROGRAM 'touch \(canary)';", "something else than rows"),
            ("\\! touch \(canary)", "something else than rows"),
            ("DROP TABLE neuroviews.users CASCADE;", "something else than rows"),
            ("COPY pg_catalog.pg_proc (proname) FROM stdin;", "something else than rows"),
            ("COPY neuroviews.lineage (singleton, value, began_at, evil) FROM stdin;", "has other columns"),
            ("COPY neuroviews.pg_user (singleton, value, began_at, salt) FROM stdin;", "has other columns"),
        ]
        for (statement, words) in cases {
            try backup.replaceInDump(Self.statement, statement)
            try expectRefusal(try backup.pack(), words)
            try right.write(to: URL(fileURLWithPath: whole))
        }
    }

    @Test("A restore refuses tars with foreign entries, paths or links that lead out, or wrong sizes")
    func tars() throws {
        let parts = UnpackedBackup.all
        try backup.shell(
            "echo x >cron; mkdir -p objects; ln -s \(backup.folder) objects/out"
        )
        try expectRefusal(try backup.pack(parts + " cron"), "cron does not belong")
        try expectRefusal(
            try backup.pack(parts + " cron", options: "-P --transform='s|^cron|objects/../../../cron|'"),
            "cron does not belong"
        )
        try expectRefusal(
            try backup.pack(parts + " cron", options: "-P --transform='s|^cron|\(canary)|'"),
            "does not belong"
        )
        try expectRefusal(try backup.pack(parts + " objects/out"), "does not belong")
        try expectRefusal(
            try backup.pack(parts + " cron", options: "--transform='s|^cron| manifest.json|'"),
            "does not belong"
        )
        try backup.shell("mkdir -p objects/1/2/3; echo x >objects/1/2/3/4")
        try expectRefusal(try backup.pack(), "does not belong")
        try backup.shell("rm -r objects/1")
        try backup.shell("ln database.dump objects/twice")
        try expectRefusal(try backup.pack(), "does not belong")
        try backup.shell("rm objects/out objects/twice; truncate -s 2G objects/bomb")
        try expectRefusal(try backup.pack(parts, options: "--sparse"), "more than its own size")
        try expectRefusal(try backup.pack(parts, options: "--gzip"), "it is no tar")
    }

    @Test("A restore refuses rows that contradict each other or are incomplete")
    func rows() throws {
        let options = "-Fc --data-only --schema=neuroviews --no-unlogged-table-data -f database.dump -d '\(database)'"
        try backup.shell("pg_dump \(options) --exclude-table=neuroviews.mails")
        try backup.seal()
        try expectRefusal(try backup.pack(), "has no rows of mails")
        try session().execute(
            """
            SET session_replication_role = replica;
            INSERT INTO neuroviews.devices (user_id, id) SELECT gen_random_uuid(), 'nobody''s'
            """
        )
        try backup.shell("pg_dump \(options)")
        try backup.seal()
        try expectRefusal(try backup.pack(), "violates foreign key constraint")
        try session().execute(
            """
            SET session_replication_role = replica; DELETE FROM neuroviews.devices;
            INSERT INTO neuroviews.recording_versions
                (user_id, id, version, seq, chain, sent_digest, changed_at, edited_at, author, by_device)
            SELECT id, id, 1, 1, '', '', now(), now(), '', false FROM neuroviews.users
            """
        )
        try backup.shell("pg_dump \(options)")
        try backup.seal()
        try expectRefusal(try backup.pack(), "has rows of recording_versions without their item")
    }
}
