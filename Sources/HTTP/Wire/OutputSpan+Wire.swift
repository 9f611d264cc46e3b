import Net

/// Writes into room that was reserved once for a whole head: the array's uniqueness is not checked for each piece.
extension OutputSpan<UInt8> {
    mutating func append(_ text: String) {
        append(copying: text.utf8.span)
    }

    /// Appends text with a space in place of every control character but the tab.
    mutating func appendSafe(_ text: String) {
        let bytes = text.utf8.span
        if bytes.endOfPlainText(from: 0, to: bytes.count) == bytes.count { return append(copying: bytes) }
        for index in bytes.indices {
            let byte = bytes[index]
            append(byte.isFieldContent ? byte : .space)
        }
    }

    /// Appends a non-negative number in decimal digits (19 at most).
    mutating func append(_ number: Int) {
        if number >= 10 { append(number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a non-negative number in lower-case hexadecimal digits (16 at most).
    mutating func append(hexadecimal number: Int) {
        if number >= 16 { append(hexadecimal: number >> 4) }
        let digit = UInt8(truncatingIfNeeded: number & 15)
        append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
}
