import Postgres
import TestSupport

/// A statement that was injected into a request, and PostgreSQL's answer. `$VICTIM` is another account's id.
struct Injection: Sendable {
    let statement: String
    /// The SQLSTATE of the refusal; nil if the statement returns no rows.
    let refusal: String?

    private static let denied = "42501"
    private static let noSession = "NV001"

    private static func refused(_ state: String = denied, _ statements: String...) -> [Injection] {
        statements.map { Injection(statement: $0, refusal: state) }
    }

    private static func empty(_ statements: String...) -> [Injection] {
        statements.map { Injection(statement: $0, refusal: nil) }
    }

    /// Sorted by the target of the attack.
    static let all = otherRoles + secrets + otherUsers + files + otherRequests + definitions

    private static let otherRoles =
        refused(
            denied,
            "SELECT set_config('role', 'neuroviews_owner', true)",
            "SELECT set_config('app.user_id', '$VICTIM', true), (SELECT min(document) FROM configurations)",
            "SELECT set_config('statement_timeout', '0', false)",
            "SELECT set_config('row_security', 'off', true)",
            "UPDATE pg_settings SET setting = 'neuroviews_background' WHERE name = 'role'",
            "SET ROLE neuroviews_owner",
            "SET ROLE neuroviews_background",
            "SET SESSION AUTHORIZATION postgres",
            "GRANT neuroviews_owner TO neuroviews_app",
            "CREATE ROLE mine SUPERUSER",
            "ALTER ROLE neuroviews_app BYPASSRLS",
            "ALTER ROLE neuroviews_background PASSWORD 'mine'",
            "DO $$ BEGIN PERFORM set_config('role', 'neuroviews_owner', true); END $$"
        ) + refused("42601", "SELECT 1; DROP TABLE users", "SELECT 1; SET app.user_id = '$VICTIM'")

    private static let secrets =
        refused(
            denied,
            "SELECT password_hash FROM users",
            "SELECT rolpassword FROM pg_authid",
            "SELECT * FROM master_keys",
            "SELECT token_hash FROM mailed_tokens",
            "SELECT password_hash FROM registrations",
            "SELECT nonce FROM nonces",
            "SELECT key FROM erasure_ledger_keys",
            "SELECT erasure_ledger_entries()",
            "SELECT parameters FROM crash_reports",
            "SELECT stavalues1::text FROM pg_statistic",
            "SELECT word FROM ts_stat('SELECT to_tsvector(password_hash) FROM users')"
        )
        + empty(
            "SELECT most_common_vals FROM pg_stats WHERE schemaname = 'neuroviews' AND tablename = 'configurations'",
            "SELECT query FROM pg_stat_activity WHERE usename <> current_user AND query NOT IN ('', '<insufficient privilege>')"
        )

    private static let otherUsers =
        empty(
            "SELECT id FROM users WHERE id = '$VICTIM'",
            "SELECT document FROM configurations WHERE user_id = '$VICTIM'",
            "SELECT document FROM configurations WHERE user_id = '$VICTIM' AND document::integer > 0",
            "SELECT id FROM sessions WHERE user_id = '$VICTIM'",
            "SELECT row FROM (SELECT query_to_xml('SELECT document FROM configurations WHERE user_id = ''$VICTIM''', true, true, '')::text) x(row) WHERE row LIKE '%<document>%'",
            "UPDATE configurations SET document = 'x' WHERE user_id = '$VICTIM' RETURNING 1",
            "DELETE FROM devices WHERE user_id = '$VICTIM' RETURNING 1"
        )
        + refused(
            noSession,
            "SELECT enter_session('$VICTIM', (SELECT id FROM sessions WHERE user_id = '$VICTIM' LIMIT 1), 1, NULL)",
            "SELECT enter_session('$VICTIM', (SELECT id FROM sessions WHERE user_id = '$VICTIM' LIMIT 1), NULL, NULL)",
            "SELECT rotate_token('$VICTIM', (SELECT id FROM sessions WHERE user_id = '$VICTIM' LIMIT 1), 1, NULL, NULL, NULL)"
        )
        + refused(
            denied,
            "INSERT INTO consents (user_id, category, granted, version, changed_at) VALUES ('$VICTIM', 'crash_reports', true, '1', now())",
            "DELETE FROM crash_reports",
            "SELECT keep_crash_reports('{2026-03-01}', '{x}', '{1}')",
            "SELECT replace_password('$VICTIM', 'x')",
            "SELECT begin_account_erasure('$VICTIM', '')",
            "SELECT listed_accounts('neuroviews', 'users', '00000000-0000-0000-0000-000000000000', 10)"
        )

    private static let files = refused(
        denied,
        "COPY (SELECT 1) TO PROGRAM 'id'",
        "COPY (SELECT 1) TO '/tmp/mine'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_ls_dir('.')",
        "SELECT pg_stat_file('postgresql.conf')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT lo_export(1, '/tmp/mine')",
        "SELECT pg_hba_file_rules()",
        "LOAD 'auto_explain'",
        "CREATE EXTENSION dblink"
    )

    private static let otherRequests =
        refused(
            denied,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity",
            "SELECT pg_advisory_lock(1)",
            "SELECT pg_advisory_unlock_all()",
            "SELECT pg_notify('neuroviews_jobs', '')",
            "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000))",
            "SELECT pg_create_physical_replication_slot('mine', true)",
            "SELECT pg_reload_conf()",
            "SELECT pg_switch_wal()",
            "SELECT pg_stat_reset()",
            "LOCK TABLE users IN ACCESS EXCLUSIVE MODE",
            "TRUNCATE configurations",
            "SELECT sweep_versions('x', 1, 1, 1)",
            "SELECT reset_all_clients()"
        ) + refused("25001", "ALTER SYSTEM SET fsync = off")

    private static let definitions = refused(
        denied,
        "CREATE TABLE public.mine (x int)",
        "CREATE TEMPORARY TABLE configurations (x int)",
        "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE SCHEMA mine",
        "CREATE TRIGGER mine BEFORE INSERT ON configurations EXECUTE FUNCTION release_history()",
        "ALTER TABLE configurations DISABLE ROW LEVEL SECURITY",
        "DROP POLICY own_rows ON configurations",
        "ALTER FUNCTION enter_session RENAME TO leave",
        "DROP TABLE configurations"
    )
}
