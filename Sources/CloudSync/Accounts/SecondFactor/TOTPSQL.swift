import Postgres

/// The statements of authenticator apps. $1 is the account in all of them; rows are named by their sealed secret, since another app may have
/// replaced the one that was checked.
enum TOTPSQL {
    /// Wrong codes a day. Three of a million codes are good at a time, so a day of guessing succeeds with a probability of 0.00006,
    /// and a year with 0.022; and who guesses has the password already.
    static let failuresMax = 20

    /// A new secret, instead of one that was never confirmed. No row: the account has an app. $2 sealed secret, $3 master key.
    static let begin = Query(
        """
        INSERT INTO totp_secrets AS t (user_id, sealed_secret, master_key_id) VALUES ($1::uuid, $2::bytea, $3::text)
        ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, master_key_id = excluded.master_key_id,
            created_at = now()
        WHERE t.confirmed_at IS NULL RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// The secret that waits for its first code, or that of the app.
    static let read = Query(
        "SELECT sealed_secret, master_key_id, last_step, confirmed_at IS NOT NULL FROM totp_secrets WHERE user_id = $1::uuid"
    ) { columns throws(UnexpectedResult) in try StoredTOTP(&columns) }

    /// Takes the new secret into use, with the recovery codes. No row: another code was faster, or another secret is there.
    ///
    /// $2 sealed secret, $3 the code's step, $4 the codes' digests of 32 bytes, one behind the other.
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

    /// Counts a wrong code before the code is looked at, so that codes that are tried at once count as well. A right one takes it back. No
    /// row: there is no app, or there were too many. $2 how many a day, $3 whether one that is not in use yet will do.
    static let beginCheck = Query(
        """
        UPDATE totp_secrets SET failures = CASE WHEN failures_since > now() - interval '1 day' THEN failures + 1 ELSE 1 END,
            failures_since = CASE WHEN failures_since > now() - interval '1 day' THEN failures_since ELSE now() END
        WHERE user_id = $1::uuid AND (confirmed_at IS NOT NULL OR $3::bool)
            AND (failures < $2::int OR failures_since <= now() - interval '1 day')
        RETURNING sealed_secret, master_key_id, last_step, confirmed_at IS NOT NULL
        """
    ) { columns throws(UnexpectedResult) in try StoredTOTP(&columns) }

    /// In how many seconds wrong codes count anew. No row: there is no app. $2 whether one that is not in use yet will do.
    static let wait = Query(
        """
        SELECT greatest(1, ceil(extract(epoch FROM failures_since + interval '1 day' - now())))::int FROM totp_secrets
        WHERE user_id = $1::uuid AND (confirmed_at IS NOT NULL OR $2::bool)
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// Spends a right code. No row: this code or a later one was used meanwhile. $2 sealed secret, $3 the code's step.
    static let spend = Query(
        """
        UPDATE totp_secrets SET last_step = $3::bigint, failures = greatest(failures - 1, 0)
        WHERE user_id = $1::uuid AND sealed_secret = $2::bytea AND coalesce(last_step, -1) < $3::bigint RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// Spends a recovery code. No row: there is no such code any more. $2 its digest.
    static let spendRecoveryCode = Query(
        "DELETE FROM recovery_codes WHERE user_id = $1::uuid AND digest = $2::bytea RETURNING true"
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// Removes the app; its recovery codes go with it.
    static let remove = Query("DELETE FROM totp_secrets WHERE user_id = $1::uuid")

    /// What the account's second factor may be. No row: it has none.
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

/// An authenticator app's secret as it is stored.
struct StoredTOTP: Sendable {
    let sealed: [UInt8]
    let masterKeyID: String
    /// The step of the last code that was used.
    let lastStep: Int?
    let isConfirmed: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        sealed = (try columns.next() as Bytea).bytes
        masterKeyID = try columns.next()
        lastStep = try columns.next()
        isConfirmed = try columns.next()
    }
}
