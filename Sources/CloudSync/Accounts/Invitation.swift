import NeuroViewsCrypto
import Postgres

/// An invitation to open an account, in the operator's name.
package struct Invitation: Sendable {
    /// The token for `register`.
    package let token: MailedToken
    /// RFC 3339.
    package let expiresAt: String

    /// The trail has the invitation but not the address, which has no account.
    private static let statement = """
        WITH invited AS MATERIALIZED (SELECT neuroviews.invite($1, decode($2, 'hex')) AS expiry), noted AS (
            INSERT INTO neuroviews.operator_actions (operator, action) SELECT $3, 'invite' FROM invited WHERE expiry IS NOT NULL
        )
        SELECT neuroviews.rfc3339(expiry) FROM invited
        """

    /// Invites an address, and cancels an earlier invitation. Nil if the address has an account. A server may be
    /// running. Blocks.
    package static func issue(
        to email: String,
        by operatorName: String,
        _ connectionString: String
    ) throws -> Invitation? {
        let token = try MailedToken()
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE \(DatabaseRole.ownerName); SET TIME ZONE 'UTC'")
        let row = try session.execute(statement, [email, Hex.encode(token.hash), operatorName]).first
        return row?.text(0).map { Invitation(token: token, expiresAt: $0) }
    }
}
