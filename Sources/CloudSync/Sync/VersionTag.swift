import Postgres

/// A version of an item as clients name it: `3-9f86d081884c`. The number counts the item's changes within one history.
/// The digits of its chain value distinguish histories.
package struct VersionTag: Sendable, Equatable {
    /// The number of the item's changes, from 1.
    package let number: Int
    /// The first 6 bytes of the chain value, in lower case.
    let chainDigits: Substring

    private static let chainDigitCount = 12

    init(_ number: Int, _ chain: ChainValue) {
        self.number = number
        chainDigits = chain.tagDigits
    }

    /// Parses `text`. Nil for any other string, also for a bare number.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Self.number(parts[0]), parts[1].utf8.count == Self.chainDigitCount,
            parts[1].utf8.allSatisfy(Self.isDigit)
        else { return nil }
        self.number = number
        chainDigits = parts[1]
    }

    /// The text that clients send back.
    package var text: String { "\(number)-\(chainDigits)" }

    /// Parses a version's number, from 1. The number and its successor fit in a PostgreSQL integer.
    package static func number(_ text: some StringProtocol) -> Int? {
        guard text.utf8.first != UInt8(ascii: "0"), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int32(text), number < Int32.max
        else { return nil }
        return Int(number)
    }

    /// Returns true for a lower-case hexadecimal digit.
    static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }
}

extension VersionTag {
    /// Reads version and chain; nil for NULL.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> VersionTag? {
        let (number, chain): (Int?, ChainValue?) = (try columns.next(), try columns.next())
        guard let number, let chain else { return nil }
        return VersionTag(number, chain)
    }
}
