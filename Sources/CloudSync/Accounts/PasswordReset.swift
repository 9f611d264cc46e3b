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
        let change = "SELECT neuroviews.replace_password(id, $2) FROM neuroviews.users WHERE lower(email) = lower($1)"
        return try session.execute(change, [email, hash]).first?.int(0)
    }
}
