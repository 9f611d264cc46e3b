import Credentials
import NeuroViewsCrypto
import Postgres

/// The statements of passkeys. $1 is the account in all but `sweep`.
enum PasskeySQL {
    /// Limit of passkeys of an account.
    static let countMax = 20

    /// Serialises transactions that count an account's passkeys.
    static let lock = Query<Void>("SELECT lock_passkeys($1)")

    /// An account's passkeys, the oldest first.
    static let list = Query(
        """
        SELECT id, credential_id, name, rfc3339(created_at), rfc3339(last_used_at) FROM passkeys
        WHERE user_id = $1::uuid ORDER BY created_at, id
        """
    ) { columns throws(UnexpectedResult) in try ListedPasskey(&columns) }

    static let count = Query("SELECT count(*) FROM passkeys WHERE user_id = $1::uuid") {
        columns throws(UnexpectedResult) -> Int in try columns.next()
    }

    /// Returns no row if the credential is registered, for any account. $2 credential, $3 key, $4 counter, $5 name, $6
    /// domain.
    static let add = Query(
        """
        INSERT INTO passkeys (user_id, credential_id, public_key, counter, name, domain)
        VALUES ($1::uuid, $2::bytea, $3::bytea, $4::bigint, $5::text, $6::text) ON CONFLICT DO NOTHING
        RETURNING id, credential_id, name, rfc3339(created_at), rfc3339(last_used_at)
        """
    ) { columns throws(UnexpectedResult) in try ListedPasskey(&columns) }

    /// To be run after `SessionSQL.lockAll`. Nil: there is no such passkey. False: it is the last way to log in. $2
    /// passkey, $3 the issuers of providers, $4 the domain of passkeys, $5 session, $6 client's address.
    static let remove = Query("SELECT remove_passkey($1, $2, $3, $4, $5, $6::inet)") {
        columns throws(UnexpectedResult) -> Bool? in try columns.next()
    }

    /// Finds the passkey of an assertion.
    static func find(_ assertion: PasskeyAssertion) -> BoundQuery<StoredPasskey> {
        find(.text(nil), .bytes(assertion.id), .bytes(digest(assertion)))
    }

    /// The same, only among the account's passkeys.
    static func find(_ assertion: PasskeyAssertion, of userID: String) -> BoundQuery<StoredPasskey> {
        find(.text(userID), .bytes(assertion.id), .bytes(digest(assertion)))
    }

    private static func digest(_ assertion: PasskeyAssertion) -> [UInt8] { SHA256.hash(assertion.challenge ?? []) }

    /// $1 account or null, $2 credential, $3 the challenge's digest.
    private static let find = Query(
        """
        SELECT user_id, credential_id, public_key, counter,
            EXISTS (SELECT FROM passkey_challenges c WHERE c.user_id = p.user_id AND c.digest = $3::bytea)
        FROM passkeys p WHERE credential_id = $2::bytea AND user_id = coalesce($1::uuid, user_id)
        """
    ) { columns throws(UnexpectedResult) in try StoredPasskey(&columns) }

    /// Spends a challenge without a passkey. Returns no row if it was used. $2 its digest, $3 its expiry.
    static let spendChallenge = Query("\(spending) SELECT true FROM spent") {
        columns throws(UnexpectedResult) -> Bool in try columns.next()
    }

    /// Spends an assertion: the challenge, and the checked counter. Returns no row if another request has used the
    /// challenge or the passkey; the caller must roll back then. $2 and $3 as above, $4 credential, $5 the checked
    /// counter, $6 the next one.
    static let spend = Query(
        """
        \(spending)
        UPDATE passkeys SET counter = $6::bigint, last_used_at = now()
        WHERE user_id = $1::uuid AND credential_id = $4::bytea AND counter = $5::bigint AND EXISTS (SELECT FROM spent) RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    private static let spending = """
        WITH spent AS (
            INSERT INTO passkey_challenges (user_id, digest, expires_at) VALUES ($1::uuid, $2::bytea, to_timestamp($3::bigint))
            ON CONFLICT DO NOTHING RETURNING true
        )
        """

    /// Skips locked rows. The hour allows for servers with different clocks. $1 limit of rows.
    static let sweep = Query(
        """
        DELETE FROM passkey_challenges WHERE (user_id, digest) IN (
            SELECT user_id, digest FROM passkey_challenges WHERE expires_at < now() - interval '1 hour' LIMIT $1 FOR UPDATE SKIP LOCKED
        ) RETURNING 1
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }
}

/// A passkey, for its owner.
package struct ListedPasskey: Sendable {
    /// UUID in lower case.
    package let id: String
    /// The authenticator's id of the passkey.
    package let credentialID: [UInt8]
    /// The owner's name for it.
    package let name: String?
    /// RFC 3339.
    package let createdAt: String
    /// RFC 3339; nil before the first use.
    package let lastUsedAt: String?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        credentialID = (try columns.next() as Bytea).bytes
        name = try columns.next()
        createdAt = try columns.next()
        lastUsedAt = try columns.next()
    }
}

/// A passkey, as it is stored.
struct StoredPasskey: Sendable {
    let userID: String
    let credentialID: [UInt8]
    let publicKey: [UInt8]
    let counter: Int
    /// True if the challenge was answered before.
    let isAnswered: Bool

    func passkey() throws(WebAuthnError) -> Passkey {
        Passkey(id: credentialID, key: try COSEKey(encoded: publicKey), counter: UInt32(clamping: counter))
    }

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        userID = try columns.next()
        credentialID = (try columns.next() as Bytea).bytes
        publicKey = (try columns.next() as Bytea).bytes
        counter = try columns.next()
        isAnswered = try columns.next()
    }
}
