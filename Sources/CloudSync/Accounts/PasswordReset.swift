import Crypto
import Postgres

/// Gives an account another password, in the operator's name. Whoever is logged in has to log in again.
public enum PasswordReset {
    /// Returns how many sessions ended; nil when there is no such account. A server may be running. Blocks, for some
    /// 0.3 s of hashing.
    public static func run(email: String, password: String, _ connectionString: String) throws -> Int? {
        let hash = try PasswordHash.hash(Array(password.utf8))
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE neuroviews_owner")
        let row = try session.execute(change, [email, hash]).first
        return row?.int(0) == 0 ? nil : row?.int(1)
    }

    // Sessions are locked in the order of their ids, as by the removal of a device.
    private static let change = """
        WITH account AS (
            UPDATE neuroviews.users SET password_hash = $2 WHERE lower(email) = lower($1) RETURNING id
        ), ended AS (
            UPDATE neuroviews.sessions SET ended_at = now()
            WHERE id IN (
                SELECT id FROM neuroviews.sessions WHERE user_id IN (SELECT id FROM account) AND ended_at IS NULL
                ORDER BY id FOR NO KEY UPDATE
            ) RETURNING id
        )
        SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM ended)
        """
}
