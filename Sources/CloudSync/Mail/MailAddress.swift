import JSONSchema

/// An address that mail can be sent to. It can stand in a header field without quoting, and no line break, comma or bracket can come in by it: a
/// local part in quotes is not taken. Nor are `%`, `!`, `|` and `/`, which mail servers take for routes, programs and files, and domains of one
/// label, which are machines of the operator's network.
public struct MailAddress: Sendable, Equatable {
    /// The address.
    public let text: String
    /// The part behind the @.
    public let domain: String

    private static let signsOfRoutes = Set("%!|/".unicodeScalars)

    /// Nil for anything else.
    public init?(_ text: String) {
        guard let address = EmailAddress(text), !address.isQuoted, address.domain.contains("."),
            !address.local.unicodeScalars.contains(where: Self.signsOfRoutes.contains)
        else { return nil }
        self.text = text
        domain = address.domain
    }
}
