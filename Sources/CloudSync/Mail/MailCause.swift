/// The cause of a mail, so that its reader can recognise it: when, from which device, from where.
package struct MailCause: Sendable {
    /// RFC 3339.
    package let at: String
    /// The device's name, else its id; nil if unknown. Its client chose it.
    package let device: String?
    /// The client's network address; nil if unknown.
    package let address: String?

    /// Takes the values.
    package init(at: String, device: String? = nil, address: String? = nil) {
        (self.at, self.device, self.address) = (at, device, address)
    }

    private static let deviceMaxCharacters = 40
    private static let signsOfNames = Set("-'’()+#,&_".unicodeScalars)

    /// A line for each known fact.
    var text: String {
        let facts = [
            ("When", MailMessage.readable(at)), ("Device", device.map(Self.shown) ?? ""),
            ("Network address", address ?? ""),
        ]
        return facts.filter { !$0.1.isEmpty }.map { "\($0): \($1)" }.joined(separator: "\n")
    }

    /// A thief may have chosen the name, so it must not look like a part of the mail: one short line, without the points
    /// and slashes that make a link.
    private static func shown(_ device: String) -> String {
        let plain = device.unicodeScalars.map { isPlain($0) ? Character($0) : " " }
        let words = String(plain).split(separator: " ")
        return String(words.joined(separator: " ").prefix(deviceMaxCharacters))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark, .otherSymbol:
            true
        default: signsOfNames.contains(scalar)
        }
    }
}
