import Postgres
import PrivateCluster

/// Checks that each login has its role and cannot use another role.
struct RoleCheck {
    private let logins: DatabaseLogins
    private let database: ExaminedDatabase
    /// The kind of membership that allows SET ROLE.
    private var right: String { database.major >= 16 ? "SET" : "MEMBER" }

    /// `database` is a connection of the owner's login, or of the background login if there is no owner's login.
    init(_ logins: DatabaseLogins, _ database: ExaminedDatabase) {
        self.logins = logins
        self.database = database
    }

    func findings() throws(DatabaseError) -> [Finding] {
        let found = logins.isOneForAll ? try together() : try apart()
        let warnings = found + (try [changer(), restrictions()].compactMap(\.self))
        guard warnings.isEmpty else { return warnings }
        return [.ok("roles", "each login has its role, and none leads to another one")]
    }

    private static let remedy = """
        have an administrator run neuroviews-server roles | psql DATABASE once, and set NEUROVIEWS_DATABASE_URL, \
        NEUROVIEWS_BACKGROUND_DATABASE_URL and NEUROVIEWS_OWNER_DATABASE_URL as docs/operating.md shows
        """

    /// Checks a single login: it must be a member of all three roles, or be able to make them.
    private func together() throws(DatabaseError) -> [Finding] {
        let rows = try database.connection.execute(
            """
            SELECT count(*) FILTER (WHERE pg_has_role(current_user, oid, '\(right)')), count(*),
                (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user),
                has_database_privilege(current_database(), 'CREATE')
            FROM pg_roles WHERE rolname IN ('neuroviews_owner', 'neuroviews_app', 'neuroviews_background')
            """
        )
        let row = rows.first
        let isReady = row?.int(0) == 3 && database.hasSchema
        let hasRoles = row?.int(0) == row?.int(1) && (row?.int(0) == 3 || row?.isTrue(2) == true)
        let mayMakeSchema = row?.isTrue(3) == true || database.hasSchema
        if hasRoles, !mayMakeSchema {
            return [.wrong("roles", "this login lacks CREATE on the database, which makes the schema", Self.remedy)]
        }
        guard isReady || hasRoles else {
            return [
                .wrong("roles", "this login lacks the three roles of the tables, and may not make them", Self.remedy)
            ]
        }
        return [
            .warning("roles", "one login has all of them, so one injected statement could read everything", Self.remedy)
        ]
    }

    private func apart() throws(DatabaseError) -> [Finding] {
        try findings(of: BlockingSession(logins.application), DatabaseRole.application.rawValue)
            + findings(of: BlockingSession(logins.background), DatabaseRole.background.rawValue)
    }

    /// Checks a login that should have one role and nothing else.
    private func findings(of session: BlockingSession, _ role: String) throws(DatabaseError) -> [Finding] {
        let rows = try session.execute(
            """
            SELECT current_user, EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(current_user, oid, '\(right)')),
                rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls,
                (SELECT string_agg(rolname, ', ') FROM pg_roles r
                    WHERE rolname NOT IN (current_user, $1) AND pg_has_role(current_user, r.oid, 'MEMBER'))
            FROM pg_roles WHERE rolname = current_user
            """,
            [role]
        )
        guard let row = rows.first, let login = row.text(0) else { return [] }
        guard row.isTrue(1) else { return [.wrong("roles", "the login \(login) is not \(role)", Self.remedy)] }
        if row.isTrue(2) {
            let attributes = "NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS"
            return [
                .warning("roles", "the login \(login) may do more than \(role)", "ALTER ROLE \(login) \(attributes);")
            ]
        }
        guard let others = row.text(3) else { return [] }
        return [.warning("roles", "the login \(login) leads to \(others)", "REVOKE \(others) FROM \(login);")]
    }

    /// Before PostgreSQL 16 a login with CREATEROLE may grant itself the right to run programs.
    private func changer() throws(DatabaseError) -> Finding? {
        guard logins.owner != nil else { return nil }
        let changer =
            "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = current_user AND rolcreaterole AND NOT rolsuper"
        guard let login = try database.connection.execute(changer).first?.text(0) else { return nil }
        return .warning(
            "roles",
            "the owner's login \(login) may change roles, which it needs no more once they are there",
            "ALTER ROLE \(login) NOCREATEROLE;"
        )
    }

    /// Checks the default rights of PUBLIC that Migrations/administrator.sql revokes.
    private func restrictions() throws(DatabaseError) -> Finding? {
        let open = try database.connection.execute(
            """
            SELECT string_agg(DISTINCT p.proname, ', ') FROM pg_proc p
            WHERE p.pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege('public', p.oid, 'EXECUTE') AND p.proname IN (
                'set_config', 'pg_advisory_lock', 'pg_notify', 'pg_terminate_backend', 'lo_create', 'pg_logical_emit_message')
            """
        ).first?.text(0)
        guard let open else { return nil }
        return .warning(
            "roles",
            "everybody may execute \(open), with which one injected statement could undo limits or disturb others",
            "have a superuser run neuroviews-server roles | psql DATABASE"
        )
    }
}
