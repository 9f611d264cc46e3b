import JSONSchema

/// An address that mail can be sent to. It needs no quoting in a header field: a quoted local part is rejected, so no
/// line break, comma or bracket is possible. `%`, `!`, `|` and `/` are rejected too: mail servers treat them as routes,
/// programs and files. So are domains of one label, which are machines of the operator's network.
package struct MailAddress: Sendable, Equatable {
    /// The address.
    package let text: String
    /// The part behind the @.
    package let domain: String

    private static let signsOfRoutes = Set("%!|/".unicodeScalars)

    /// Nil for anything else.
    package init?(_ text: String) {
        guard let address = EmailAddress(text), !address.isQuoted, address.domain.contains("."),
            !address.local.unicodeScalars.contains(where: Self.signsOfRoutes.contains)
        else { return nil }
        self.text = text
        domain = address.domain
    }
}
