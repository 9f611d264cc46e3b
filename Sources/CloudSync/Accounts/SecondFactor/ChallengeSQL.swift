import Postgres

/// The statements of logins that wait for a second factor.
enum ChallengeSQL {
    /// Limit of waiting logins of an account; a new one replaces the oldest.
    static let countMax = 10
    /// Limit of wrong factors for one waiting login.
    static let attemptsMax = 5

    /// To be run after `SessionSQL.lockAccount`.
    ///
    /// $1 account, $2 digest of the challenge, $3 digest of the password's hash, $4 device, $5 its name, $6 limit of
    /// waiting logins, $7 limit of attempts.
    static let add = Query(
        """
        WITH kept AS (
            SELECT digest FROM second_factor_challenges WHERE user_id = $1::uuid ORDER BY expires_at DESC LIMIT $6::int - 1
        ), gone AS (
            DELETE FROM second_factor_challenges WHERE user_id = $1::uuid AND digest NOT IN (SELECT digest FROM kept)
        )
        INSERT INTO second_factor_challenges (user_id, digest, password_digest, device_id, device_name, attempts_left)
        VALUES ($1::uuid, $2::bytea, $3::bytea, $4::text, $5::text, $7::int)
        """
    )

    /// The master key that seals the secret of the account's app. Returns no row without an app. $1 digest.
    static let masterKeys = Query(
        """
        SELECT t.master_key_id FROM second_factor_challenges c JOIN totp_secrets t ON t.user_id = c.user_id
        WHERE c.digest = $1::bytea
        """
    ) { columns throws(UnexpectedResult) -> String in try columns.next() }

    /// Uses one attempt. Returns no row if the login has expired, was completed, or never existed. $1 digest.
    static let take = Query(
        """
        UPDATE second_factor_challenges SET attempts_left = attempts_left - 1
        WHERE digest = $1::bytea AND attempts_left > 0 AND expires_at > now()
        RETURNING user_id, password_digest, device_id, device_name
        """
    ) { columns throws(UnexpectedResult) in
        LoginChallenge(
            userID: try columns.next(),
            passwordDigest: (try columns.next() as Bytea).bytes,
            deviceID: try columns.next(),
            deviceName: try columns.next()
        )
    }

    /// To be run after `SessionSQL.lockAccount`. Returns no row if another request has used it. $1 digest.
    static let end = Query("DELETE FROM second_factor_challenges WHERE digest = $1::bytea RETURNING true") {
        columns throws(UnexpectedResult) -> Bool in try columns.next()
    }

    /// Skips locked rows. $1 limit of rows.
    static let sweep = Query(
        """
        DELETE FROM second_factor_challenges WHERE digest IN (
            SELECT digest FROM second_factor_challenges WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED
        ) RETURNING 1
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }
}

/// A login with a right password that waits for its second factor.
struct LoginChallenge: Sendable {
    let userID: String
    /// The digest of the password's hash at the first step: it may change meanwhile.
    let passwordDigest: [UInt8]
    let deviceID: String?
    let deviceName: String?
}
