import Postgres

/// An identity at an OpenID provider, for operators.
package struct IdentitySummary: Sendable {
    /// The provider's name in tokens.
    package let issuer: String
    /// The person's id in tokens.
    package let subject: String
    /// RFC 3339.
    package let createdAt: String

    init(_ row: Row) {
        issuer = row.text(0) ?? ""
        subject = row.text(1) ?? ""
        createdAt = row.text(2) ?? ""
    }
}
