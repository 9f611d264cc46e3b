import Postgres

/// An account, for its owner.
public struct User: Sendable {
    /// UUID in lower case.
    public let id: String
    /// As it was registered.
    public let email: String
    /// RFC 3339.
    public let createdAt: String

    /// Reads id, email and created_at.
    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        email = try columns.next()
        createdAt = try columns.next()
    }
}

/// A bearer token.
public struct Token: Sendable {
    /// JWT.
    public let text: String
    /// RFC 3339.
    public let expiresAt: String
}

/// A new session.
public struct Login: Sendable {
    /// The session's first token.
    public let token: Token
    /// The account of the session.
    public let user: User
    /// Base64 of the 32-byte key that signs this session's requests, for the session's lifetime.
    public let signingKey: String
}
