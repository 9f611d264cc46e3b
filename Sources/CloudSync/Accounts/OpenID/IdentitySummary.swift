import Postgres

/// An identity at an OpenID provider as operators see it.
public struct IdentitySummary: Sendable {
    /// What the provider's tokens call the provider.
    public let issuer: String
    /// What they call the person.
    public let subject: String
    /// RFC 3339.
    public let createdAt: String

    init(_ row: Row) {
        issuer = row.text(0) ?? ""
        subject = row.text(1) ?? ""
        createdAt = row.text(2) ?? ""
    }
}
