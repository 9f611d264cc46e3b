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
    package var digits: String { written(withHyphens: false) }

    /// The UUID in lower case.
    package var text: String { written(withHyphens: true) }

    /// A number that spreads accounts evenly: the bits of a random UUID.
    func place(among count: Int) -> Int { Int(low % UInt64(count)) }

    private static let digitsCount = 32

    /// Byte by byte: each message of a socket needs this a few times.
    private func written(withHyphens: Bool) -> String {
        String(unsafeUninitializedCapacity: Self.digitsCount + 4) { bytes in
            var count = 0
            func append(_ byte: UInt8) {
                bytes[count] = byte
                count += 1
            }
            for index in 0..<Self.digitsCount {
                if withHyphens, index.isMultiple(of: 4), (8...20).contains(index) { append(UInt8(ascii: "-")) }
                let word = index < 16 ? high : low
                let digit = UInt8(word >> UInt64(60 - 4 * (index % 16)) & 15)
                append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
            return count
        }
    }

    private static func value(of byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
