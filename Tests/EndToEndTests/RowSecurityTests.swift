import TestSupport
import Testing

/// Through psql, in the roles that the server works in. Each call is one connection, used for several transactions.
@Suite("Row-level security")
struct RowSecurityTests {
    private static let asApplication = "SET ROLE neuroviews_app; SET search_path TO neuroviews;"
    private static let tables = [
        "users", "sessions", "devices", "sync_heads", "configurations", "configuration_versions",
        "configuration_conflicts", "idempotency_keys",
    ]

    @Test(
        "What works with the owner's rights looks names up in PostgreSQL's own schema, but for what each request says"
    )
    func searchPaths() throws {
        let others = try Shared.server.get().sql(
            """
            SELECT proname FROM pg_proc WHERE pronamespace = 'neuroviews'::regnamespace AND prosecdef
                AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false) ORDER BY 1
            """
        )
        #expect(others == ["enter", "enter_signed"])
    }

    /// Users of which there is something in every table.
    private func users() throws -> (a: Device, b: Device) {
        let (a, b) = (try Shared.device(), try Shared.other())
        for device in [a, b] {
            let preset = Preset()
            #expect(try device.post(preset.json, [("Idempotency-Key", preset.id)]).status == 201)
            #expect(try device.post(preset.edited("Loser", minute: 5).json).status == 409)
        }
        return (a, b)
    }

    private func enter(_ device: Device) -> String { "DO $$ BEGIN PERFORM enter('\(device.sessionID)', 1); END $$;" }

    private func rows(_ statements: String) throws -> [String] {
        let program = try Shared.server.get().psql(Self.asApplication + statements)
        #expect(program.status == 0, "\(program.complaint)")
        return program.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "Without WHERE, a used connection gives the set user's rows only, and none when no user is set",
        arguments: tables
    )
    func rowsOfOneUser(table: String) throws {
        let (a, b) = try users()
        let column = table == "users" ? "id" : "user_id"
        let owners = "SELECT DISTINCT \(column) FROM \(table);"
        let count = "SELECT count(*) FROM \(table);"
        #expect(try rows(count) == ["0"])
        #expect(try rows("BEGIN; \(enter(a)) \(owners) COMMIT; \(count)") == [a.userID, "0"])
        #expect(try rows("BEGIN; \(enter(a)) ROLLBACK; \(count)") == ["0"])
        #expect(
            try rows("BEGIN; \(enter(a)) COMMIT; BEGIN; \(enter(b)) \(owners) COMMIT; BEGIN; \(count) COMMIT;")
                == [b.userID, "0"]
        )
        // A transaction that enters nobody after one that did, and one that enters a session that has ended.
        let failed = try Shared.server.get().psql(
            "\(Self.asApplication) BEGIN; \(enter(a)) COMMIT; BEGIN; SELECT enter('\(a.userID)', 1);"
        )
        #expect(failed.complaint.contains("the session has ended"))
    }

    @Test(
        "The application role can do nothing about it",
        arguments: [
            "ALTER TABLE configurations DISABLE ROW LEVEL SECURITY", "ALTER TABLE users NO FORCE ROW LEVEL SECURITY",
            "DROP POLICY own_rows ON configurations", "CREATE POLICY mine ON configurations USING (true)",
            "SET row_security = off; SELECT count(*) FROM users", "ALTER ROLE neuroviews_app BYPASSRLS",
            "SELECT count(*) FROM nonces", "SELECT count(*) FROM nonces_0", "TRUNCATE nonces_0",
            "INSERT INTO nonces VALUES (0, gen_random_uuid(), 0, 'x')",
            "SELECT count(*) FROM master_keys", "SELECT count(*) FROM lineage", "SELECT count(*) FROM pg_authid",
            "CREATE TABLE mine (x int)", "CREATE TABLE public.mine (x int)", "CREATE SCHEMA mine",
            "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE VIEW mine AS SELECT 1",
            "CREATE ROLE mine", "CREATE TEMP TABLE configurations (x int)", "CREATE EXTENSION dblink",
            "COPY (SELECT 1) TO PROGRAM 'true'",
            "COPY (SELECT 1) TO '/dev/null'", "DROP TABLE configurations",
            "TRUNCATE configurations",
            "DELETE FROM configurations", "DELETE FROM users", "DELETE FROM sessions",
            "UPDATE users SET email = 'x'", "UPDATE users SET password_hash = 'x'",
            "UPDATE sessions SET user_id = gen_random_uuid()", "UPDATE sessions SET counter = 1",
            "INSERT INTO users (email, password_hash) VALUES ('x', 'x')",
            "INSERT INTO sessions (user_id, key_id) VALUES (gen_random_uuid(), 'x')",
            "UPDATE configuration_versions SET document = 'x'", "DELETE FROM configuration_versions",
            "SELECT count(*) FROM sweeps", "SELECT sweep_versions('x', 1, 1, 1)",
            "SELECT sweep_merges(1, 1)", "DELETE FROM configuration_merges", "SELECT sweep_old_conflicts(1, 1)",
            "SELECT sweep_conflicts('x', 1, 1, 1)",
            "UPDATE configuration_conflicts SET document = 'x'",
            "INSERT INTO sync_heads (user_id) VALUES (gen_random_uuid())", "ALTER FUNCTION enter RENAME TO leave",
        ]
    )
    func forbidden(statement: String) throws {
        let server = try Shared.server.get()
        let device = try Shared.device()
        let program = try server.psql("\(Self.asApplication) BEGIN; \(enter(device)) \(statement);")
        #expect(program.status != 0)
        let reasons = ["permission denied", "must be owner", "must be superuser", "row-level security"]
        #expect(reasons.contains { program.complaint.contains($0) }, "\(program.complaint)")
    }

    @Test("Nor write a row that is another user's")
    func foreignRows() throws {
        let (a, b) = try users()
        let id = try Shared.server.get().sql("SELECT id FROM configurations WHERE user_id = '\(b.userID)' LIMIT 1")
        let statements = [
            """
            INSERT INTO configurations (user_id, id, spelled_id, document, digest, version, seq, changed_at, edited_at)
            VALUES ('\(b.userID)', gen_random_uuid(), 'x', '{}', '', 1, 999999, now(), now())
            """,
            "UPDATE configurations SET user_id = '\(b.userID)'",
            "INSERT INTO devices (user_id, id) VALUES ('\(b.userID)', 'mine')",
            "UPDATE sync_heads SET user_id = '\(b.userID)'", "UPDATE devices SET user_id = '\(b.userID)'",
        ]
        for statement in statements {
            let program = try Shared.server.get().psql("\(Self.asApplication) BEGIN; \(enter(a)) \(statement);")
            #expect(program.complaint.contains("violates row-level security policy"), "\(program.complaint)")
        }
        #expect(
            try rows("BEGIN; \(enter(a)) UPDATE configurations SET version = 7 WHERE id = '\(id[0])' RETURNING 1;")
                == []
        )
        for table in ["devices", "configuration_conflicts"] {
            let foreign = "DELETE FROM \(table) WHERE user_id = '\(b.userID)' RETURNING 1;"
            #expect(try rows("BEGIN; \(enter(a)) \(foreign)") == [])
        }
        #expect(
            try rows(
                "BEGIN; \(enter(a)) UPDATE sessions SET ended_at = now() WHERE user_id <> '\(a.userID)' RETURNING 1;"
            ) == []
        )
    }

    @Test(
        "The background role sees no document and changes no table",
        arguments: [
            "SELECT count(*) FROM configurations", "SELECT count(*) FROM configuration_versions",
            "SELECT count(*) FROM configuration_conflicts", "SELECT count(*) FROM nonces", "CREATE TABLE mine (x int)",
            "UPDATE users SET email = 'x'", "DELETE FROM users", "UPDATE master_keys SET check_value = 'x'",
            "ALTER TABLE users DISABLE ROW LEVEL SECURITY", "SELECT enter(gen_random_uuid(), 1)",
            "UPDATE configuration_versions SET document = NULL", "DELETE FROM configuration_conflicts",
            "UPDATE sweeps SET reached = now()", "DELETE FROM devices", "SELECT sweep_begin('x', 1)",
            "DELETE FROM configuration_merges", "SELECT lock_device_sessions(gen_random_uuid(), 'x')",
        ]
    )
    func background(statement: String) throws {
        let setRole = "SET ROLE neuroviews_background; SET search_path TO neuroviews;"
        let program = try Shared.server.get().psql("\(setRole) \(statement);")
        #expect(program.status != 0)
        let reasons = ["permission denied", "must be owner"]
        #expect(reasons.contains { program.complaint.contains($0) }, "\(program.complaint)")
    }

    @Test("Every table of a user's rows has row-level security, and none is forgotten")
    func everyTable() throws {
        let open = try Shared.server.get().sql(
            """
            SELECT relname FROM pg_class WHERE relnamespace = 'neuroviews'::regnamespace AND relkind IN ('r', 'p')
                AND NOT relrowsecurity AND has_table_privilege('neuroviews_app', oid, 'SELECT')
            """
        )
        #expect(open == [])
        let flags = try Shared.server.get().sql(
            "SELECT rolsuper OR rolbypassrls OR rolcreatedb OR rolcanlogin FROM pg_roles WHERE rolname = 'neuroviews_app'"
        )
        #expect(flags == ["f"])
    }
}
