/// An address that mail can be sent to: RFC 5322's addr-spec as a dot-atom, with the characters of other scripts that RFC 6532 allows. Quoted
/// local parts, comments and address literals are not taken. So it can stand in a header field without quoting, and no line break, comma or
/// bracket can come in by it. Nor are `%`, `!`, `|` and `/`, which mail servers take for routes, programs and files, and domains of one label, which
/// are machines of the operator's network.
public struct MailAddress: Sendable, Equatable {
    /// The address.
    public let text: String

    private static let (localMaxBytes, domainMaxBytes, labelMaxBytes) = (64, 255, 63)
    private static let atomSigns = Set("#$&'*+-=?^_`{}~".unicodeScalars)

    /// Nil for anything else.
    public init?(_ text: String) {
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, Self.isLocal(String(parts[0])), Self.isDomain(String(parts[1]))
        else { return nil }
        self.text = text
    }

    /// The part behind the @.
    public var domain: Substring { text.drop { $0 != "@" }.dropFirst() }

    private static func isLocal(_ text: String) -> Bool {
        text.utf8.count <= localMaxBytes
            && text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.allSatisfy { isLetterOrDigit($0) || atomSigns.contains($0) }
            }
    }

    private static func isDomain(_ text: String) -> Bool {
        text.utf8.count <= domainMaxBytes && text.contains(".")
            && text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && String(label).utf8.count <= labelMaxBytes && label.first != "-" && label.last != "-"
                    && label.allSatisfy { isLetterOrDigit($0) || $0 == "-" }
            }
    }

    /// Of any script. What becomes an ASCII letter in lower case, such as the Kelvin sign, would make two addresses look like one.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return Character(scalar).isLetter || Character(scalar).isNumber }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            return !scalar.properties.lowercaseMapping.unicodeScalars.contains(where: \.isASCII)
        default: return false
        }
    }
}
