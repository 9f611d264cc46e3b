import JSONSchema
import Storage

/// An address that mail can be sent to. It needs no quoting in a header field: a quoted local part is rejected, so no
/// line break, comma or bracket is possible. `%`, `!`, `|` and `/` are rejected too: mail servers treat them as routes,
/// programs and files. So are domains of one label, which are machines of the operator's network, and domains that have
/// no ASCII form, which mail servers do not find.
package struct MailAddress: Sendable, Equatable {
    /// The address in its stored spelling.
    package let text: String
    /// The part behind the @.
    package let domain: String

    private static let signsOfRoutes = Set("%!|/".unicodeScalars)

    /// Nil for anything else.
    package init?(_ typed: String) {
        let text = Self.spelling(of: typed)
        guard let address = EmailAddress(text), !address.isQuoted, address.domain.contains("."),
            address.domain.utf8.allSatisfy({ $0 < 0x80 }),
            !address.local.unicodeScalars.contains(where: Self.signsOfRoutes.contains)
        else { return nil }
        self.text = text
        domain = address.domain
    }

    /// Returns the spelling in which an address is stored and looked up: without the spaces that keyboards add around it,
    /// and with a domain of another script as A-labels (RFC 5890). So the spellings of one domain are one account, and
    /// mail servers without SMTPUTF8 can deliver. The part before the @ keeps its form but for the case of letters beyond
    /// ASCII: the database compares without the case of ASCII letters alone. An address that is none stays one.
    package static func spelling(of typed: String) -> String {
        let start = typed.drop(while: \.isWhitespace).map(folded).joined()
        let end = start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex
        let scalars = start[..<end].unicodeScalars
        guard let at = scalars.lastIndex(of: "@") else { return String(start[..<end]) }
        let domain = String(scalars[scalars.index(after: at)...])
        guard !domain.utf8.allSatisfy({ $0 < 0x80 }), let ascii = DomainName.ascii(domain) else {
            return String(start[..<end])
        }
        return String(scalars[...at]) + ascii
    }

    /// A letter with a small form in ASCII, such as the Kelvin sign, stays, and the address is refused.
    private static func folded(_ character: Character) -> String {
        let small = character.lowercased()
        return character.isASCII || small.utf8.contains { $0 < 0x80 } ? String(character) : small
    }
}
