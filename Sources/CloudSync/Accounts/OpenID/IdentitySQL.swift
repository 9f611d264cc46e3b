import Postgres

/// The statements about identities. The functions are in functions/identities.sql.
enum IdentitySQL {
    /// Limit of identities of an account.
    static let countMax = 10

    /// The account of an identity. $1 issuer, $2 subject.
    static let account = Query(
        """
        SELECT u.id, u.email, rfc3339(u.created_at), u.password_hash, u.disabled_at IS NOT NULL
        FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = $1 AND i.subject = $2
        """
    ) { columns throws(UnexpectedResult) in
        FoundAccount(user: try User(&columns), passwordHash: try columns.next(), isDisabled: try columns.next())
    }

    /// To be run after `SessionSQL.lockAccount`, or in a caller's transaction. Returns no row if the identity is not
    /// the account's. $1 account, $2 issuer, $3 subject.
    static let standing = Query("SELECT true FROM identities WHERE user_id = $1::uuid AND issuer = $2 AND subject = $3")
    {
        columns throws(UnexpectedResult) -> Bool in try columns.next()
    }

    /// Returns a row if a token was used. Does not wait for a transaction that uses it. $1 digest.
    static let used = Query("SELECT true FROM used_id_tokens WHERE digest = $1") {
        columns throws(UnexpectedResult) -> Bool in try columns.next()
    }

    /// $1 digest of the token, $2 its expiry in Unix seconds.
    static let spend = Query("SELECT spend_id_token($1, $2)")

    /// Adds the identity of a new account without a password. Returns no row if another account has the identity. $1
    /// account, $2 issuer, $3 subject, $4 address.
    static let addFirst = Query(
        """
        WITH account AS (UPDATE users SET has_password = false WHERE id = $1::uuid)
        INSERT INTO identities (user_id, issuer, subject, email) VALUES ($1::uuid, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// $1 address, $2 the hash of an account without a password.
    static let openInvited = Query("SELECT id, email, rfc3339(created_at) FROM open_invited_account($1, $2)") {
        columns throws(UnexpectedResult) in try User(&columns)
    }

    /// $1 account.
    static let list = Query(
        "SELECT id, issuer, email, rfc3339(created_at) FROM identities WHERE user_id = $1::uuid ORDER BY created_at, id"
    ) { columns throws(UnexpectedResult) in try LinkedIdentity(&columns) }

    /// To be run after `SessionSQL.lockAll`. $1 account, $2 issuer, $3 subject, $4 address, $5 limit of identities in
    /// an account, $6 session, $7 client's address.
    static let link = Query(
        "SELECT id, issuer, email, rfc3339(created_at) FROM link_identity($1, $2, $3, $4, $5, $6, $7::inet)"
    ) {
        columns throws(UnexpectedResult) in try LinkedIdentity(&columns)
    }

    /// To be run after `SessionSQL.lockAll`. Nil: there is no such identity. False: it is the last way to log in. $1
    /// account, $2 identity, $3 the issuers of providers, $4 the domain of passkeys, $5 session, $6 client's address.
    static let unlink = Query("SELECT unlink_identity($1, $2, $3, $4, $5, $6::inet)") {
        columns throws(UnexpectedResult) -> Bool? in try columns.next()
    }

    /// $1 limit of rows.
    static let sweep = Query("SELECT sweep_used_id_tokens($1)") { columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }
}
