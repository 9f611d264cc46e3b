import Foundation
import TestSupport
import Testing

/// The tests use psql in the server's roles. Each call is one connection with several transactions.
@Suite("Row-level security", .blocking)
struct RowSecurityTests {
    private static let asApplication = "SET ROLE neuroviews_app; SET search_path TO neuroviews;"

    /// Users with rows in every table.
    private func users() throws -> (a: Device, b: Device) { (try FilledAccount().device, try FilledAccount().device) }

    private func enter(_ device: Device) -> String {
        "DO $$ BEGIN PERFORM enter_session('\(device.userID)', '\(device.sessionID)', 1, NULL); END $$;"
    }

    private func rows(_ statements: String) throws -> [String] {
        let program = try Shared.server.get().psql(Self.asApplication + statements)
        #expect(program.status == 0, "\(program.complaint)")
        return program.output.split(separator: "\n").map(String.init)
    }

    @Test("Every table of accounts has rows of each filled account")
    func filled() throws {
        let server = try Shared.server.get()
        let rows = try Catalogue.rows(of: users().a.userID, server)
        for table in try Catalogue.tables(server) where !table.isPartition {
            #expect(rows.contains { $0.hasPrefix("\(table): ") }, "FilledAccount has to write something to \(table)")
        }
    }

    @Test("A query without WHERE returns the set user's rows only, and none without a set user")
    func rowsOfOneUser() throws {
        let (a, b) = try users()
        for table in try Catalogue.tables(Shared.server.get()) where try !table.isPartition && mayRead(table) {
            let owners = "SELECT DISTINCT \(table.owner) FROM \(table);"
            let count = "SELECT count(*) FROM \(table);"
            #expect(try rows(count) == ["0"], "\(table)")
            #expect(try rows("BEGIN; \(enter(a)) \(owners) COMMIT; \(count)") == [a.userID, "0"], "\(table)")
            #expect(try rows("BEGIN; \(enter(a)) ROLLBACK; \(count)") == ["0"], "\(table)")
            let both = "BEGIN; \(enter(a)) COMMIT; BEGIN; \(enter(b)) \(owners) COMMIT; BEGIN; \(count) COMMIT;"
            #expect(try rows(both) == [b.userID, "0"], "\(table)")
        }
    }

    private func mayRead(_ table: Catalogue.Table) throws -> Bool {
        try Shared.server.get().sql("SELECT has_any_column_privilege('neuroviews_app', '\(table)', 'SELECT')") == ["t"]
    }

    @Test("Entering an account with no session or another account's session fails")
    func ended() throws {
        let (a, b) = try users()
        let server = try Shared.server.get()
        // `enter_session` has a fast path for a session with an unchanged signature version and a recorded use.
        let version = try server.sql("SELECT signature_version FROM sessions WHERE id = '\(b.sessionID)'")
        for (session, signedBy) in [(a.userID, "NULL"), (b.sessionID, "NULL"), (b.sessionID, version.joined())] {
            let failed = try server.psql(
                "\(Self.asApplication) BEGIN; \(enter(b)) COMMIT; "
                    + "BEGIN; SELECT enter_session('\(a.userID)', '\(session)', 1, \(signedBy));"
            )
            #expect(failed.complaint.contains("the session has ended"))
        }
    }

    @Test("The application can't insert, change or delete rows of another user in any table")
    func foreignRows() throws {
        let server = try Shared.server.get()
        let (a, b) = try users()
        let before = try Catalogue.rows(of: b.userID, server)
        for table in try Catalogue.tables(server) where !table.isPartition {
            for statement in try harmless(table, b) {
                let program = try server.psql("\(Self.asApplication) BEGIN; \(enter(a)) \(statement);")
                let isRefused = Self.refusals.contains { program.complaint.contains($0) }
                #expect(isRefused || program.status == 0 && program.output.isEmpty, "\(statement) \(program.complaint)")
            }
            for statement in try refused(table, b) {
                let program = try server.psql("\(Self.asApplication) BEGIN; \(enter(a)) \(statement);")
                #expect(Self.refusals.contains { program.complaint.contains($0) }, "\(statement) \(program.complaint)")
            }
        }
        #expect(try Catalogue.rows(of: b.userID, server) == before)
    }

    private static let refusals = ["permission denied", "violates row-level security policy"]

    /// Statements that find no row of this user to change.
    private func harmless(_ table: Catalogue.Table, _ other: Device) throws -> [String] {
        let columns = try Shared.server.get().sql(
            """
            SELECT attname FROM pg_attribute WHERE \(Self.given(table)) AND has_column_privilege('neuroviews_app', attrelid, attname, 'UPDATE')
            """
        )
        let theirs = "WHERE \(table.owner) = '\(other.userID)' RETURNING 1"
        return ["DELETE FROM \(table) \(theirs)"] + columns.map { "UPDATE \(table) SET \($0) = \($0) \(theirs)" }
    }

    /// Statements that would give this user a row: one of the asking user's rows, or a copy of an existing row.
    private func refused(_ table: Catalogue.Table, _ other: Device) throws -> [String] {
        let copies = try Shared.server.get().sql(
            "SELECT row_to_json(t) FROM \(table) t WHERE \(table.owner) = '\(other.userID)' LIMIT 1"
        )
        let copy = try #require(copies.first, "FilledAccount has to write something to \(table)")
        let columns = try Shared.server.get().sql("SELECT attname FROM pg_attribute WHERE \(Self.given(table))")
            .joined(separator: ", ")
        return [
            "UPDATE \(table) SET \(table.owner) = '\(other.userID)'",
            "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM json_populate_record(NULL::\(table), $$\(copy)$$)",
        ]
    }

    /// The columns that statements can write. Generated columns are left out.
    private static func given(_ table: Catalogue.Table) -> String {
        "attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
    }

    @Test(
        "The application's role can't disable row-level security",
        arguments: [
            "ALTER TABLE configurations DISABLE ROW LEVEL SECURITY", "ALTER TABLE users NO FORCE ROW LEVEL SECURITY",
            "DROP POLICY own_rows ON configurations", "CREATE POLICY mine ON configurations USING (true)",
            "SET row_security = off; SELECT count(*) FROM users", "ALTER ROLE neuroviews_app BYPASSRLS",
            "SELECT count(*) FROM nonces", "SELECT count(*) FROM nonces_0", "TRUNCATE nonces_0",
            "INSERT INTO nonces VALUES (0, gen_random_uuid(), gen_random_uuid(), 0, 'x')",
            "SELECT count(*) FROM master_keys", "SELECT count(*) FROM server_keys", "SELECT forget_master_keys()",
            "SELECT end_compromised_keys()", "UPDATE lineage SET salt = 1", "SELECT count(*) FROM pg_authid",
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
            "SELECT count(*) FROM sweeps", "SELECT count(*) FROM clock_note", "SELECT sweep_versions('x', 1, 1, 1)",
            "SELECT sweep_old_conflicts(1, 1)", "SELECT reset_all_clients()", "SELECT value FROM lineage",
            "SELECT sweep_conflicts('x', 1, 1, 1)", "SELECT count(*) FROM jobs", "DELETE FROM jobs",
            "SELECT count(*) FROM job_turns", "SELECT count(*) FROM job_workers",
            "SELECT count(*) FROM realtime_devices", "DELETE FROM realtime_commands",
            "UPDATE realtime_commands SET target = 'x'", "NOTIFY x; SELECT pg_notify('x', '')",
            "SELECT count(*) FROM attempts", "DELETE FROM attempts",
            "SELECT release_attempt(gen_random_uuid())", "UPDATE devices SET logged_in_at = now()",
            "INSERT INTO devices (user_id, id, logged_in_at) SELECT id, 'x', now() FROM users",
            "INSERT INTO known_addresses SELECT id, '192.0.2.1' FROM users",
            "UPDATE configuration_conflicts SET document = 'x'",
            "INSERT INTO sync_heads (user_id) VALUES (gen_random_uuid())",
            "SELECT count(*) FROM crash_reports", "DELETE FROM crash_reports",
            "INSERT INTO crash_reports VALUES (now(), 'x', '{}')", "SELECT sweep_crash_reports(1, 1)",
            "SELECT keep_crash_reports('{}', '{}', '{}')",
            "ALTER FUNCTION enter_session RENAME TO leave",
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

    @Test(
        "The background role reads no document and changes no table",
        arguments: [
            "SELECT count(*) FROM configurations", "SELECT document FROM configuration_versions",
            "SELECT count(*) FROM configuration_conflicts", "SELECT count(*) FROM nonces", "CREATE TABLE mine (x int)",
            "UPDATE users SET email = 'x'", "DELETE FROM users", "UPDATE master_keys SET check_value = 'x'",
            "DELETE FROM master_keys", "UPDATE master_keys SET state = 'current'", "SELECT end_compromised_keys()",
            "ALTER TABLE users DISABLE ROW LEVEL SECURITY",
            "SELECT enter_session(gen_random_uuid(), gen_random_uuid(), 1, NULL)",
            "UPDATE configuration_versions SET document = NULL", "DELETE FROM configuration_conflicts",
            "UPDATE sweeps SET reached = now()", "DELETE FROM devices", "SELECT sweep_begin('x', 1)",
            "DELETE FROM idempotency_keys", "SELECT reset_clients('x')", "SELECT document FROM recording_versions",
            "SELECT lock_sessions_of_device(gen_random_uuid(), gen_random_uuid(), 'x')",
            "SELECT count(*) FROM attempts",
            "DELETE FROM attempts",
            "SELECT count(*) FROM known_addresses", "SELECT reserve_attempt('{x}', '{1}', 1)",
            "SELECT count(*) FROM crash_reports", "DELETE FROM crash_reports",
        ]
    )
    func background(statement: String) throws {
        let setRole = "SET ROLE neuroviews_background; SET search_path TO neuroviews;"
        let program = try Shared.server.get().psql("\(setRole) \(statement);")
        #expect(program.status != 0)
        let reasons = ["permission denied", "must be owner"]
        #expect(reasons.contains { program.complaint.contains($0) }, "\(program.complaint)")
    }

    @Test("The background role lists account ids and reads no other table with the owner's rights")
    func listedAccounts() throws {
        let server = try Shared.server.get()
        func list(_ place: String, _ relation: String) throws -> Program {
            try server.psql(
                "SELECT count(*) FROM neuroviews.listed_accounts('\(place)', '\(relation)', '00000000-0000-0000-0000-000000000000', 10);",
                user: "neuroviews_background"
            )
        }
        _ = try Shared.newDevice()
        #expect(try Int(list("neuroviews", "users").output.trimmingCharacters(in: .newlines)) ?? 0 > 0)
        for (place, relation) in [("neuroviews", "configurations"), ("public", "users"), ("pg_catalog", "pg_authid")] {
            #expect(try list(place, relation).complaint.contains("no table of accounts"), "\(place).\(relation)")
        }
    }
}
