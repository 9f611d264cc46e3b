import Postgres

/// An account and the hash of its password.
struct FoundAccount: Sendable {
    let user: User
    let passwordHash: String
    let isDisabled: Bool
}

/// The statements of `AccountService`.
enum AccountSQL {
    /// $1 address, $2 hash of the password, $3 the operator who adds the account; null for a registration.
    static let open = Query(
        """
        WITH account AS (SELECT id, email, created_at FROM open_account($1, $2)), trail AS (
            INSERT INTO operator_actions (operator, action, account) SELECT $3::text, 'add', id FROM account WHERE $3::text IS NOT NULL
        )
        SELECT id, email, rfc3339(created_at) FROM account
        """
    ) { columns throws(UnexpectedResult) in try User(&columns) }

    /// $1 is the address as typed. Here and elsewhere, "C" makes A to Z equal to a to z in each database: in a Turkish one,
    /// I and i are two letters.
    static let find = account("lower(email COLLATE \"C\") = lower($1 COLLATE \"C\")")

    /// $1 is the account's id.
    static let read = account("id = $1::uuid")

    /// $1 is the account's id.
    static let email = Query("SELECT email FROM users WHERE id = $1::uuid") {
        columns throws(UnexpectedResult) -> String in try columns.next()
    }

    private static func account(_ condition: String) -> Query<FoundAccount> {
        Query(
            "SELECT id, email, rfc3339(created_at), password_hash, disabled_at IS NOT NULL FROM users WHERE \(condition)"
        ) { columns throws(UnexpectedResult) in
            FoundAccount(user: try User(&columns), passwordHash: try columns.next(), isDisabled: try columns.next())
        }
    }

    /// Returns no row if the hash has changed since the check. $1 account, $2 the new hash, $3 the checked one.
    static let rehash = Query(
        "UPDATE users SET password_hash = $2 WHERE id = $1 AND password_hash = $3 RETURNING true"
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// To be run after `SessionSQL.lockAccount`, so that concurrent logins count devices one after the other, and after
    /// `SessionSQL.start`. Stores nothing if that has started no session. A new device without room is not stored. The
    /// login works all the same, and an unused device can be removed then. `note_login` makes the device a known one.
    ///
    /// $1 account, $2 device, $3 its name, $4 limit of devices in an account.
    static let noteDevice = Query(
        """
        INSERT INTO devices AS d (user_id, id, name) SELECT $1::uuid, $2::text, $3::text
        WHERE $2::text IS NOT NULL AND ((SELECT count(*) FROM devices WHERE user_id = $1::uuid) < $4::int
            OR EXISTS (SELECT FROM devices WHERE user_id = $1::uuid AND id = $2::text))
            AND EXISTS (
                SELECT FROM sessions WHERE user_id = $1::uuid AND xmin = pg_current_xact_id()::xid AND ended_at IS NULL)
        ON CONFLICT (user_id, id) DO UPDATE SET name = coalesce(excluded.name, d.name), last_seen_at = now()
        """
    )
}
