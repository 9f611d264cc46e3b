import Crypto
import Postgres

/// An invitation to open an account, in the operator's name.
public struct Invitation: Sendable {
    /// What `register` takes.
    public let token: MailedToken
    /// RFC 3339.
    public let expiresAt: String

    /// Invites an address; an earlier invitation is good no more. Nil when it has an account. A server may be running. Blocks.
    public static func issue(to email: String, _ connectionString: String) throws -> Invitation? {
        let token = try MailedToken()
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE neuroviews_owner; SET TIME ZONE 'UTC'")
        let row = try session.execute(
            "SELECT neuroviews.rfc3339(neuroviews.invite($1, decode($2, 'hex')))",
            [email, Hex.encode(token.hash)]
        ).first
        return row?.text(0).map { Invitation(token: token, expiresAt: $0) }
    }
}
