import Postgres

/// An identity at an OpenID provider, for operators.
public struct IdentitySummary: Sendable {
    /// The provider's name in tokens.
    public let issuer: String
    /// The person's id in tokens.
    public let subject: String
    /// RFC 3339.
    public let createdAt: String

    init(_ row: Row) {
        issuer = row.text(0) ?? ""
        subject = row.text(1) ?? ""
        createdAt = row.text(2) ?? ""
    }
}
