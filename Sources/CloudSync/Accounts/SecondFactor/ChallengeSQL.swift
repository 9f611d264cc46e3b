import Postgres

/// The statements of logins that wait for the second factor.
enum ChallengeSQL {
    /// Logins of one account that may wait at a time; the oldest goes.
    static let countMax = 10
    /// Wrong factors of one of them.
    static let attemptsMax = 5

    /// After `SessionSQL.lockAccount`.
    ///
    /// $1 account, $2 digest of the challenge, $3 digest of the password's hash, $4 device, $5 its name, $6 how many may wait, $7 attempts.
    static let add = Query(
        """
        WITH kept AS (
            SELECT digest FROM second_factor_challenges WHERE user_id = $1::uuid AND expires_at > now()
            ORDER BY expires_at DESC LIMIT $6::int - 1
        ), gone AS (
            DELETE FROM second_factor_challenges WHERE user_id = $1::uuid AND digest NOT IN (SELECT digest FROM kept)
        )
        INSERT INTO second_factor_challenges (user_id, digest, password_digest, device_id, device_name, attempts_left)
        VALUES ($1::uuid, $2::bytea, $3::bytea, $4::text, $5::text, $7::int)
        """
    )

    /// Takes one of the attempts. No row: it is over, was used, or never was. $1 digest.
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

    /// After `SessionSQL.lockAccount`. No row: another request has used it. $1 digest.
    static let end = Query("DELETE FROM second_factor_challenges WHERE digest = $1::bytea RETURNING true") {
        columns throws(UnexpectedResult) -> Bool in try columns.next()
    }

    /// Passes over locked rows.
    static let sweep = Query(
        """
        DELETE FROM second_factor_challenges WHERE digest IN (
            SELECT digest FROM second_factor_challenges WHERE expires_at < now() LIMIT 1000 FOR UPDATE SKIP LOCKED
        )
        """
    )
}

/// A login whose password was right and whose second factor is to come.
struct LoginChallenge: Sendable {
    let userID: String
    /// Of the hash of the password that was given: it may be changed meanwhile.
    let passwordDigest: [UInt8]
    let deviceID: String?
    let deviceName: String?
}
