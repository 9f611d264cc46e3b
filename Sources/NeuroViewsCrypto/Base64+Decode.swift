extension Base64 {
    /// Returns nil unless the text is the exact output of `encode`. Other characters (white space too), wrong padding,
    /// an impossible length and nonzero leftover bits in the last digit are rejected.
    public func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let count = digitCount(text), count % 4 != 1 else { return nil }
        let values = self == .url ? urlValues : standardValues
        var bytes = [UInt8](repeating: 0, count: count * 3 / 4)
        var length = 0
        var bits: UInt32 = 0
        var invalid: UInt8 = 0
        for index in 0..<count {
            let value = values[Int(text[index])]
            invalid |= value
            bits = bits << 6 | UInt32(value & 63)
            // The first digit of a group completes no byte; each of the other three completes one.
            let position = index & 3
            if position == 0 { continue }
            bytes[length] = UInt8(truncatingIfNeeded: bits >> (6 - 2 * position))
            length += 1
        }
        let leftoverMask: UInt32 = (1 << (count * 6 % 8)) - 1
        return invalid & notADigit == 0 && bits & leftoverMask == 0 ? bytes : nil
    }

    /// See `decode(_: Span<UInt8>)`.
    public func decode(_ text: [UInt8]) -> [UInt8]? {
        let text = text[...]
        return decode(text.span)
    }

    /// See `decode(_: Span<UInt8>)`.
    public func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8))
    }

    /// The length without padding, or nil if the padding is wrong for this form.
    private func digitCount(_ text: Span<UInt8>) -> Int? {
        guard self == .padded else { return text.count }
        guard text.count % 4 == 0 else { return nil }
        var count = text.count
        while count > 0, count > text.count - 2, text[count - 1] == paddingSign { count -= 1 }
        return count
    }
}

private let notADigit: UInt8 = 0x80
private let standardValues = values(of: standardDigits)
private let urlValues = values(of: urlDigits)

private func values(of digits: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: notADigit, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
}
