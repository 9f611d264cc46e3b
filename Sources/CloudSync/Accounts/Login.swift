import Postgres

/// An account, for its owner.
package struct User: Sendable {
    /// UUID in lower case.
    package let id: String
    /// As it was registered.
    package let email: String
    /// RFC 3339.
    package let createdAt: String

    /// Reads id, email and created_at.
    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        email = try columns.next()
        createdAt = try columns.next()
    }
}

/// A bearer token.
package struct Token: Sendable {
    /// JWT.
    package let text: String
    /// RFC 3339.
    package let expiresAt: String
}

/// A new session.
package struct Login: Sendable {
    /// The session's first token.
    package let token: Token
    /// The account of the session.
    package let user: User
    /// Base64 of the 32-byte key that signs this session's requests, for the session's lifetime.
    package let signingKey: String
}
