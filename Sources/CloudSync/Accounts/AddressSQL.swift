import Postgres

/// The statements that register and prove addresses. The functions are in functions/addresses.sql.
enum AddressSQL {
    /// The hash of a registration with an unconfirmed address. $1 is the address as typed.
    static let registered = Query(
        """
        SELECT password_hash FROM registrations
        WHERE lower(email COLLATE "C") = lower($1 COLLATE "C") AND expires_at > now()
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as String }

    /// To be run before `enter_session`. $1 is the address.
    static let lock = Statement("SELECT lock_address($1)")

    /// $1 address, $2 hash of the password.
    static let requestRegistration = Query("SELECT request_registration($1, $2)")

    /// $1 is the address as typed.
    static let requestReset = Query("SELECT enqueue_mail('reset', $1)")

    /// $1 is the new address.
    static let requestAddress = Query("SELECT request_address($1)")

    /// $1 the token's digest, $2 the client's address.
    static let verify = Query("SELECT verify_address($1, $2::inet)")

    /// Returns a row if the token would open an account. $1 is the token's digest.
    static let opensAccount = Query(
        """
        SELECT true FROM mailed_tokens
        WHERE token_hash = $1 AND account IS NULL AND purpose IN ('verify', 'reset') AND expires_at > now()
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }

    /// Returns the address that a reset was mailed to. $1 is the token's digest.
    static let reset = Query(
        "SELECT email FROM mailed_tokens WHERE token_hash = $1 AND purpose = 'reset' AND expires_at > now()"
    ) { columns throws(UnexpectedResult) in try columns.next() as String }

    /// $1 the token's digest, $2 hash of the new password, $3 the client's address as that of a subscriber, $4 the
    /// address.
    static let resetPassword = Query("SELECT reset_password($1, $2, $3::inet, $4::inet)")

    /// Returns a row if the invitation is valid. $1 the token's digest, $2 the address as typed.
    static let invitation = Query(
        """
        SELECT true FROM mailed_tokens
        WHERE token_hash = $1 AND purpose = 'invitation' AND lower(email COLLATE "C") = lower($2 COLLATE "C") AND expires_at > now()
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }

    /// $1 the token's digest, $2 address, $3 hash of the password.
    static let acceptInvitation = Query(
        "SELECT id, email, rfc3339(created_at) FROM accept_invitation($1, $2, $3)"
    ) { columns throws(UnexpectedResult) in try User(&columns) }
}
