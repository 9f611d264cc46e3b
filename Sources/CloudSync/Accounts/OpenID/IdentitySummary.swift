import Postgres

/// An identity at an OpenID provider as operators see it.
public struct IdentitySummary: Sendable {
    /// The provider's name in tokens.
    public let issuer: String
    /// The person's name in tokens.
    public let subject: String
    /// RFC 3339.
    public let createdAt: String

    init(_ row: Row) {
        issuer = row.text(0) ?? ""
        subject = row.text(1) ?? ""
        createdAt = row.text(2) ?? ""
    }
}
