import FoundationEssentials
import Glibc
import NeuroViewsJSON

/// An e-mail address by RFC 5321 (section 4.1.2), with the characters of other scripts that RFC 6531 allows. It
/// must be in Unicode's form NFC without invisible characters, so that two addresses that look alike are not two
/// accounts. For the same reason, quotes and backslashes are allowed only where they are needed. Comments,
/// folding and address literals are rejected.
public struct EmailAddress: Sendable, Equatable {
    /// The part before the last @, including its quotes.
    public let local: String
    /// The part after the @.
    public let domain: String

    /// Limits of SMTP (RFC 5321, 4.5.3.1) and of DNS (RFC 1035, 2.3.4).
    private static let (textMaxBytes, localMaxBytes, labelMaxScalars) = (254, 64, 63)
    private static let atomSigns = Set("!#$%&'*+-/=?^_`{|}~".unicodeScalars)

    /// Nil for anything else.
    public init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard text.utf8.count <= Self.textMaxBytes, let at = scalars.lastIndex(of: "@"),
            scalars.elementsEqual(text.normalized.unicodeScalars)
        else { return nil }
        local = String(scalars[..<at])
        domain = String(scalars[scalars.index(after: at)...])
        guard local.utf8.count <= Self.localMaxBytes, isQuoted ? Self.isQuotedString(local) : Self.isDotAtom(local),
            Self.isDomain(domain)
        else { return nil }
    }

    /// True if the local part is a quoted string.
    public var isQuoted: Bool { local.hasPrefix("\"") }

    private static func isDotAtom(_ text: String) -> Bool {
        parts(of: text).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isLetterOrDigit($0) || atomSigns.contains($0) }
        }
    }

    /// A complete quoted string whose content needs the quotes.
    private static func isQuotedString(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard scalars.count >= 2, scalars.last == "\"" else { return false }
        var content = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in scalars.dropFirst().dropLast() {
            let isSpecial = scalar == "\"" || scalar == "\\"
            guard isEscaped ? isSpecial : scalar != "\"" && isQuotable(scalar) else { return false }
            isEscaped = !isEscaped && scalar == "\\"
            if !isEscaped { content.append(scalar) }
        }
        return !isEscaped && !content.isEmpty && !isDotAtom(String(content))
    }

    private static func isQuotable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? (32...126).contains(scalar.value) : isLetterOrDigit(scalar)
    }

    /// Labels of letters, digits and hyphens, of any script. A last label of digits
    /// would be the end of an IPv4 address.
    private static func isDomain(_ text: String) -> Bool {
        let labels = parts(of: text)
        return labels.allSatisfy(isLabel) && labels.last?.allSatisfy { ("0"..."9").contains($0) } == false
    }

    private static func isLabel(_ label: Substring.UnicodeScalarView) -> Bool {
        guard let first = label.first, let last = label.last, label.count <= labelMaxScalars else { return false }
        return first != "-" && last != "-" && !isMark(first) && label.allSatisfy { $0 == "-" || isLetterOrDigit($0) }
    }

    private static func parts(of text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map(
            Substring.UnicodeScalarView.init
        )
    }

    /// Letters and digits of any script, if they are visible. Excludes characters that become an ASCII letter in lower
    /// case, such as the Kelvin sign: two addresses would look alike.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return Character(scalar).isLetter || Character(scalar).isNumber }
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint else { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return !properties.lowercaseMapping.unicodeScalars.contains(where: \.isASCII)
        default: return isMark(scalar)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }
}
