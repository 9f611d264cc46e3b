/// The statements of `AccountAdministration`. $1 is an address, $2 the operator.
enum AdministrationSQL {
    /// Those of `AccountSummary`. The parameters of `LoginLocks` begin with this number.
    private static func columns(locks first: Int) -> String {
        "\(columns), \(LoginLocks.lockedUntil(first))"
    }

    private static let columns = """
        u.id, u.email, rfc3339(u.created_at), rfc3339(u.disabled_at), (
            SELECT rfc3339(max(s.last_used_at)) FROM sessions s WHERE s.user_id = u.id
        ), (
            SELECT count(*) FROM sessions s WHERE s.user_id = u.id AND is_live(s)
        ), (
            SELECT items FROM sync_heads h WHERE h.user_id = u.id AND h.collection = 'configurations'
        ), (
            SELECT items FROM sync_heads h WHERE h.user_id = u.id AND h.collection = 'recordings'
        ), (
            SELECT coalesce(sum(f.size), 0)::bigint FROM recording_files f WHERE f.user_id = u.id
        ), (
            SELECT count(*) FROM totp_secrets t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL
        )
        """

    static let list = """
        SELECT \(columns(locks: 2)) FROM users u WHERE lower(u.email COLLATE "C") > lower($1 COLLATE "C")
        ORDER BY lower(u.email COLLATE "C") LIMIT 500
        """

    /// Byte order puts every address with the prefix between it and the prefix with the last character of Unicode. $2 is
    /// the prefix, $3 the limit.
    static let search = """
        SELECT \(columns(locks: 4)) FROM users u
        WHERE lower(u.email COLLATE "C") > lower($1 COLLATE "C")
            AND lower(u.email COLLATE "C") >= lower($2 COLLATE "C")
            AND lower(u.email COLLATE "C") < lower($2 COLLATE "C") || chr(1114111)
        ORDER BY lower(u.email COLLATE "C") LIMIT $3::int
        """

    static let show = """
        WITH \(account), \(noting("show"))
        SELECT \(columns(locks: 3)) FROM users u JOIN account USING (id)
        """

    static let noteSessions = "WITH \(account), \(noting("sessions")) SELECT id FROM account"

    static let noteDeletion = "WITH \(account), \(noting("delete")) SELECT id FROM account"

    /// $1 is an account.
    static let sessions = """
        SELECT s.id, s.device_id, host(s.address), rfc3339(s.created_at), rfc3339(s.last_used_at)
        FROM sessions s WHERE s.user_id = $1::uuid AND is_live(s) ORDER BY s.last_used_at DESC, s.id
        """

    /// $1 is an account.
    static let identities =
        "SELECT i.issuer, i.subject, rfc3339(i.created_at) FROM identities i WHERE i.user_id = $1::uuid ORDER BY i.created_at"

    /// The events after a position in time order. $1 is the position's time, $2 its id.
    static let events = """
        SELECT rfc3339(e.at), e.user_id, e.kind, e.count, e.session_id, e.device_id, host(e.address), e.at, e.id
        FROM account_events e WHERE (e.at, e.id) > ($1::timestamptz, $2::uuid) ORDER BY e.at, e.id LIMIT 1000
        """

    /// The account is locked before its sessions.
    static let endSessions = """
        WITH \(setting("disabled_at = disabled_at")), \(noting("end sessions"))
        SELECT end_sessions(id) FROM account
        """

    static let disable = """
        WITH \(setting("disabled_at = coalesce(disabled_at, now())")), \(noting("disable"))
        SELECT end_sessions(id) FROM account
        """

    static let enable = "WITH \(setting("disabled_at = NULL")), \(noting("enable")) SELECT FROM account"

    /// Locks the account before the app. Returns 1 if there was an app. The event informs the account's owner.
    static let removeApp = """
        WITH \(setting("disabled_at = disabled_at")), \(noting("remove app")), removed AS (
            DELETE FROM totp_secrets t USING account WHERE t.user_id = account.id RETURNING t.user_id
        )
        SELECT (SELECT count(*) FROM removed), (SELECT note_event(user_id, 'totp-removed', NULL, NULL, NULL) FROM removed)
        FROM account
        """

    /// $3 is the hash.
    static let setPassword = """
        WITH \(account), \(noting("password"))
        SELECT replace_password(id, $3) FROM account
        """

    /// $1 is an account.
    static let actionsOfAccount = "\(trail) WHERE a.account = $1::uuid ORDER BY a.at DESC LIMIT 20"
    static let actions = "\(trail) ORDER BY a.at DESC LIMIT 100"

    private static let trail = """
        SELECT rfc3339(a.at), a.operator, a.action, a.account, u.email
        FROM operator_actions a LEFT JOIN users u ON u.id = a.account
        """

    private static let account =
        "account AS (SELECT id FROM users WHERE lower(email COLLATE \"C\") = lower($1 COLLATE \"C\"))"

    private static func setting(_ change: String) -> String {
        "account AS (UPDATE users SET \(change) WHERE lower(email COLLATE \"C\") = lower($1 COLLATE \"C\") RETURNING id)"
    }

    private static func noting(_ action: String) -> String {
        "noted AS (INSERT INTO operator_actions (operator, action, account) SELECT $2, '\(action)', id FROM account)"
    }
}
