import NeuroViewsCrypto

/// An account's id as two words: a small and quick key, since a server may hold many accounts at once.
package struct AccountID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Reads a UUID, in any case, with or without hyphens. Nil for any other text.
    package init?(_ text: String) {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        var count = 0
        for byte in text.utf8 where byte != UInt8(ascii: "-") {
            guard count < Self.digitsCount, let digit = Self.value(of: byte) else { return nil }
            words = (words.high << 4 | words.low >> 60, words.low << 4 | digit)
            count += 1
        }
        guard count == Self.digitsCount else { return nil }
        (high, low) = words
    }

    /// The 32 hexadecimal digits, in lower case.
    package var digits: String {
        Hex.encode([high, low].flatMap { word in (1...8).map { UInt8(truncatingIfNeeded: word >> (64 - 8 * $0)) } })
    }

    /// The UUID in lower case.
    package var text: String {
        var text: [UInt8] = []
        for (index, digit) in digits.utf8.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A number that spreads accounts evenly: the bits of a random UUID.
    func place(among count: Int) -> Int { Int(low % UInt64(count)) }

    private static let digitsCount = 32

    private static func value(of byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
