/// Base32 (RFC 4648 section 6) without padding, for secrets that people type.
public enum Base32 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Encodes bytes in capital letters.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 5 {
                count -= 5
                text.append(digits[Int(bits >> UInt32(count) & 31)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text in either case. Returns nil unless it is the exact output of `encode`. Other characters, padding,
    /// an impossible length and nonzero leftover bits are rejected.
    public static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in text.utf8 {
            guard let value = value(of: digit) else { return nil }
            (bits, count) = (bits << 5 | value, count + 5)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        let isWhole = count < 5 && bits & ((1 << UInt32(count)) - 1) == 0
        return isWhole ? bytes : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(digit - UInt8(ascii: "2") + 26)
        default: nil
        }
    }
}
