import Postgres

/// The statements of authenticator apps. $1 is the account in all of them. Rows are identified by their sealed secret,
/// because another app may have replaced the checked one.
enum TOTPSQL {
    /// Limit of wrong codes a day. Three of a million codes are valid at a time. A day of guessing succeeds with a
    /// probability of 0.00006, a year with 0.022. The guesser also needs the password.
    static let failuresMax = 20

    /// Inserts a new secret, or replaces one that was never confirmed. Returns no row if the account has an app. $2
    /// sealed secret, $3 master key.
    static let begin = Query(
        """
        INSERT INTO totp_secrets AS t (user_id, sealed_secret, master_key_id) VALUES ($1::uuid, $2::bytea, $3::text)
        ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, master_key_id = excluded.master_key_id,
            created_at = now()
        WHERE t.confirmed_at IS NULL RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// The secret that waits for its first code, or the app's.
    static let read = Query(
        "SELECT sealed_secret, master_key_id, last_step, confirmed_at IS NOT NULL FROM totp_secrets WHERE user_id = $1::uuid"
    ) { columns throws(UnexpectedResult) in try StoredTOTP(&columns) }

    /// Activates the new secret and stores the recovery codes. Returns no row if another code was faster, or if there
    /// is another secret.
    ///
    /// $2 sealed secret, $3 the code's step, $4 the codes' 32-byte digests, concatenated.
    static let confirm = Query(
        """
        WITH confirmed AS (
            UPDATE totp_secrets SET confirmed_at = now(), last_step = $3::bigint, failures = 0
            WHERE user_id = $1::uuid AND sealed_secret = $2::bytea AND confirmed_at IS NULL RETURNING user_id
        )
        INSERT INTO recovery_codes (user_id, digest)
        SELECT c.user_id, substring($4::bytea FROM 32 * i + 1 FOR 32) FROM confirmed c, generate_series(0, length($4::bytea) / 32 - 1) i
        RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// False after a day, and for a time that a clock left which was ahead.
    private static let isCounting = "(failures_since > now() - interval '1 day' AND is_past(failures_since))"

    /// Counts a wrong code before the check, so that parallel attempts count, too. A right code reverts it. Returns no
    /// row if there is no app, or if there were too many wrong codes. $2 limit a day, $3 true to include an app that is
    /// not in use yet.
    static let beginCheck = Query(
        """
        UPDATE totp_secrets SET failures = CASE WHEN \(isCounting) THEN failures + 1 ELSE 1 END,
            failures_since = CASE WHEN \(isCounting) THEN failures_since ELSE now() END
        WHERE user_id = $1::uuid AND (confirmed_at IS NOT NULL OR $3::bool)
            AND (failures < $2::int OR NOT \(isCounting))
        RETURNING sealed_secret, master_key_id, last_step, confirmed_at IS NOT NULL
        """
    ) { columns throws(UnexpectedResult) in try StoredTOTP(&columns) }

    /// The seconds until the count of wrong codes starts again. Returns no row if there is no app. $2 true to include
    /// an app that is not in use yet.
    static let wait = Query(
        """
        SELECT greatest(1, ceil(extract(epoch FROM failures_since + interval '1 day' - now())))::int FROM totp_secrets
        WHERE user_id = $1::uuid AND (confirmed_at IS NOT NULL OR $2::bool)
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// Spends a right code. Returns no row if this code or a later one was used meanwhile. $2 sealed secret, $3 the
    /// code's step.
    static let spend = Query(
        """
        UPDATE totp_secrets SET last_step = $3::bigint, failures = greatest(failures - 1, 0)
        WHERE user_id = $1::uuid AND sealed_secret = $2::bytea AND coalesce(last_step, -1) < $3::bigint RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// Spends a recovery code. Returns no row if it does not exist. $2 its digest.
    static let spendRecoveryCode = Query(
        "DELETE FROM recovery_codes WHERE user_id = $1::uuid AND digest = $2::bytea RETURNING true"
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// Removes the app, and by cascade its recovery codes.
    static let remove = Query("DELETE FROM totp_secrets WHERE user_id = $1::uuid")

    /// The methods of the account's second factor. Returns no row if it has none.
    static let methods = Query(
        """
        SELECT EXISTS (SELECT FROM recovery_codes r WHERE r.user_id = t.user_id),
            EXISTS (SELECT FROM passkeys p WHERE p.user_id = t.user_id)
        FROM totp_secrets t
        WHERE t.user_id = $1::uuid AND t.confirmed_at IS NOT NULL
        """
    ) { columns throws(UnexpectedResult) -> [String] in
        let (hasRecoveryCodes, hasPasskeys): (Bool, Bool) = (try columns.next(), try columns.next())
        return ["code"] + (hasRecoveryCodes ? ["recovery_code"] : []) + (hasPasskeys ? ["assertion"] : [])
    }
}

/// An authenticator app's secret, as it is stored.
struct StoredTOTP: Sendable {
    let sealed: [UInt8]
    let masterKeyID: String
    /// The step of the last used code.
    let lastStep: Int?
    let isConfirmed: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        sealed = (try columns.next() as Bytea).bytes
        masterKeyID = try columns.next()
        lastStep = try columns.next()
        isConfirmed = try columns.next()
    }
}
