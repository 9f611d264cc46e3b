import Postgres

/// The statements that start, list and end sessions.
enum SessionSQL {
    /// Serialises logins and changes of the password. So sessions can be counted, and no session outlives its password.
    /// $1 is the account.
    static let lockAccount = Query("SELECT FROM users WHERE id = $1::uuid FOR NO KEY UPDATE")

    /// To be run after `lockAccount`. Ends sessions so that there is room for one more, if `start` will start it.
    /// Sessions of the new session's device are ended first, so a client that logs in repeatedly ends its own. Within
    /// both groups, those unused for the longest time are first.
    ///
    /// $1 account, $2 the new session's device, $3 limit of sessions in an account, $4 the checked password's hash.
    static let makeRoom = Query(
        """
        WITH surplus AS (
            SELECT s.id FROM sessions s WHERE s.user_id = $1::uuid AND is_live(s)
                AND EXISTS (SELECT \(account(checked: "$4")))
            ORDER BY s.device_id IS NOT DISTINCT FROM $2::text DESC, s.last_used_at
            LIMIT greatest(0, 1 - $3::int + (SELECT count(*) FROM sessions l WHERE l.user_id = $1::uuid AND is_live(l)))
        ), locked AS MATERIALIZED (
            SELECT id FROM sessions WHERE user_id = $1::uuid AND id IN (SELECT id FROM surplus) ORDER BY id FOR NO KEY UPDATE
        )
        UPDATE sessions SET ended_at = now() WHERE user_id = $1::uuid AND id IN (SELECT id FROM locked) AND ended_at IS NULL
        """
    )

    /// To be run after `lockAccount`. Returns no row if the password has changed or the account was disabled.
    ///
    /// $1 account, $2 master key, $3 device, $4 the client's address, $5 the hash of the checked password.
    static let start = Query(
        """
        INSERT INTO sessions (user_id, key_id, device_id, address, confirmed_at)
        SELECT id, $2::text, $3::text, $4::inet, now() \(account(checked: "$5"))
        RETURNING id, counter, key_id
        """
    ) { columns throws(UnexpectedResult) in try StartedSession(&columns) }

    /// The same for the device of another session. $3 is that session.
    static let startAgain = Query(
        """
        INSERT INTO sessions (user_id, key_id, device_id, address, confirmed_at)
        SELECT u.id, $2::text, s.device_id, $4::inet, now() FROM users u JOIN sessions s ON s.user_id = u.id AND s.id = $3::uuid
        WHERE u.id = $1::uuid AND u.password_hash = $5::text
        RETURNING id, counter, key_id
        """
    ) { columns throws(UnexpectedResult) in try StartedSession(&columns) }

    /// The account $1, unless it was disabled or its password has changed since the check. `hash` is a parameter.
    private static func account(checked hash: String) -> String {
        "FROM users WHERE id = $1::uuid AND password_hash = \(hash)::text AND disabled_at IS NULL"
    }

    /// Nil if the token was reused, which has ended the session. To be run by `Caller.withAnyToken`. $1 account, $2
    /// session, $3 the token's counter, $4 the client's attempt, $5 the client's address, $6 its site.
    static let rotate = Query("SELECT rotate_token($1, $2, $3, $4, $5::inet, $6::inet)") {
        columns throws(UnexpectedResult) -> Int? in try columns.next()
    }

    /// $1 account, $2 the caller's session.
    static let list = Query(
        """
        SELECT s.id, s.device_id, d.name, host(s.address), rfc3339(s.created_at), rfc3339(s.last_used_at), s.id = $2::uuid
        FROM sessions s LEFT JOIN devices d ON d.user_id = s.user_id AND d.id = s.device_id
        WHERE s.user_id = $1::uuid AND is_live(s) ORDER BY s.last_used_at DESC, s.id
        """
    ) { columns throws(UnexpectedResult) in try ListedSession(&columns) }

    /// $1 account, $2 session.
    static let end = Query(
        "UPDATE sessions s SET ended_at = now() WHERE s.user_id = $1::uuid AND s.id = $2::uuid AND is_live(s) RETURNING true"
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// The same, with an event. $1 account, $2 session.
    static let revoke = revoke("s.id = $2::uuid AND is_live(s)")

    /// $1 account, $2 the caller's session.
    static let revokeOthers = revoke("s.id <> $2::uuid AND s.ended_at IS NULL")

    private static func revoke(_ condition: String) -> Query<Bool> {
        Query(
            """
            WITH ended AS (
                UPDATE sessions s SET ended_at = now() WHERE s.user_id = $1::uuid AND \(condition)
                RETURNING s.user_id, s.id, s.device_id
            ), \(revoked)
            SELECT true FROM ended
            """
        ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }
    }

    /// Inserts an event for each session in `ended`.
    static let revoked = """
        revoked AS (
            INSERT INTO account_events (user_id, kind, session_id, device_id) SELECT user_id, 'session-revoked', id, device_id FROM ended
        )
        """

    /// To be run before `enter_session`.
    static func lockAll(_ caller: Caller) -> Step { lock(.text(caller.userID), .text(caller.sessionID)) }

    private static let lock = Statement("SELECT lock_sessions_of($1, $2)")

    /// The same in the background role. $1 account, $2 the caller's session.
    static let lockAllSessions = Query("SELECT lock_sessions_of($1, $2)")

    /// $1 the caller's session, $2 the session to end, or $3 the device to remove.
    static let requireStanding = Query("SELECT require_standing($1, $2, $3)")

    /// $1 is the caller's session.
    static let requireConfirmation = Query("SELECT require_confirmation($1)")

    /// $1 account, $2 the caller's session.
    static let confirm = Query("UPDATE sessions SET proven_at = now() WHERE user_id = $1::uuid AND id = $2::uuid")

    /// To be run after `lockAllSessions`. Returns the number of ended sessions. Returns no row if the caller's session
    /// has ended or the password has changed.
    ///
    /// $1 account, $2 the new hash, $3 the checked hash, $4 the caller's session, $5 the client's
    /// address.
    static let replacePassword = Query(
        """
        SELECT replace_password(u.id, $2::text, s.id, $5::inet) FROM users u JOIN sessions s ON s.user_id = u.id
        WHERE u.id = $1::uuid AND u.password_hash = $3::text AND s.id = $4::uuid AND is_live(s)
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// Deletes sessions a day after their end. Until then, a device of a disabled account gets that error. $1 limit of
    /// rows.
    static let sweepEnded = sweep("s.ended_at < now() - interval '1 day' ORDER BY s.ended_at LIMIT $1")

    /// Deletes sessions that were not used for too long or are too old. They have no index: each use would change it. $1
    /// and $2 the lowest and the highest account, $3 limit of rows.
    static let sweepUnused = sweep(
        "s.user_id BETWEEN $1::uuid AND $2::uuid AND s.ended_at IS NULL AND NOT is_live(s) LIMIT $3"
    )

    /// Skips locked rows.
    private static func sweep(_ condition: String) -> Query<Int> {
        Query(
            """
            DELETE FROM sessions WHERE (user_id, id) IN (
                SELECT s.user_id, s.id FROM sessions s WHERE \(condition) FOR UPDATE SKIP LOCKED
            ) RETURNING 1
            """
        ) { columns throws(UnexpectedResult) -> Int in try columns.next() }
    }
}

/// A new session.
struct StartedSession: Sendable {
    let id: String
    let counter: Int
    /// The id of its master key.
    let keyID: String

    /// Reads id, counter and key_id.
    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        counter = try columns.next()
        keyID = try columns.next()
    }
}
