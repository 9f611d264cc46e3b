extension [UInt8] {
    /// Appends a number that isn't negative, in decimal digits.
    mutating func appendDecimal(_ number: Int) {
        appendDigits(UInt(Swift.max(0, number)), radix: 10)
    }

    /// Appends a number that isn't negative, in small hexadecimal digits.
    mutating func appendHexadecimal(_ number: Int) {
        appendDigits(UInt(Swift.max(0, number)), radix: 16)
    }

    /// Appends text with a space in place of every control character but the tab.
    mutating func appendSafe(_ text: String) {
        let start = count
        append(contentsOf: text.utf8)
        for index in start..<count where !self[index].isFieldContent { self[index] = .space }
    }

    private mutating func appendDigits(_ number: UInt, radix: UInt) {
        let start = count
        var rest = number
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % radix)
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            rest /= radix
        } while rest > 0
        self[start...].reverse()
    }
}
