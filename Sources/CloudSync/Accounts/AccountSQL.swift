import Postgres

/// The statements of `AccountService`.
enum AccountSQL {
    private static let time = "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'"

    static let register = Statement(
        """
        WITH account AS (INSERT INTO users (email, password_hash) VALUES ($1, $2) RETURNING id, email, created_at),
            head AS (INSERT INTO sync_heads (user_id) SELECT id FROM account)
        SELECT id, email, to_char(created_at, \(time)) FROM account
        """
    )

    static let find = Statement(
        "SELECT id, email, to_char(created_at, \(time)), password_hash FROM users WHERE lower(email) = lower($1)"
    )

    static let rehash = Statement("UPDATE users SET password_hash = $2 WHERE id = $1")

    static let startSession = Statement(
        """
        INSERT INTO sessions (user_id, key_id, device_id, confirmed_at) VALUES ($1, $2, $3, now()) RETURNING id, counter
        """
    )

    static let noteDevice = Statement(
        """
        INSERT INTO devices AS d (user_id, id, name) SELECT $1::uuid, $2::text, $3::text
        WHERE $2::text IS NOT NULL AND ((SELECT count(*) FROM devices WHERE user_id = $1::uuid) < 1000
            OR EXISTS (SELECT FROM devices WHERE user_id = $1::uuid AND id = $2::text))
        ON CONFLICT (user_id, id) DO UPDATE SET name = coalesce(excluded.name, d.name), last_seen_at = now()
        """
    )

    static let refresh = Statement("SELECT refresh_session($1, $2)")

    static let endSession = Statement("UPDATE sessions SET ended_at = now() WHERE id = $1")

    /// The lock makes the second of two servers that start on a new database see the first one's key.
    static let lockMasterKeys = Statement("SELECT pg_advisory_xact_lock(hashtext('neuroviews.master_keys'))")

    static let addFirstMasterKey = Statement(
        """
        INSERT INTO master_keys (key_id, check_value)
        SELECT $1::text, $2::text WHERE NOT EXISTS (SELECT FROM master_keys)
        """
    )

    static let masterKeys = Statement("SELECT key_id, check_value FROM master_keys ORDER BY created_at")
}
