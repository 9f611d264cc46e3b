/// Writing into room that was reserved once for a whole head: no check of the array's uniqueness for each piece.
extension OutputSpan<UInt8> {
    mutating func append(_ text: borrowing Span<UInt8>) {
        for index in text.indices { append(text[index]) }
    }

    mutating func append(_ text: String) {
        append(text.utf8.span)
    }

    /// Appends text with a space in place of every control character but the tab.
    mutating func appendSafe(_ text: String) {
        let bytes = text.utf8.span
        for index in bytes.indices {
            let byte = bytes[index]
            append(byte.isFieldContent ? byte : .space)
        }
    }

    /// Appends a number that isn't negative, in decimal or small hexadecimal digits (16 bytes, 20 in decimal at most).
    mutating func append(_ number: Int, radix: Int = 10) {
        var unit = 1
        while number / unit >= radix { unit *= radix }
        while unit > 0 {
            let digit = UInt8(truncatingIfNeeded: number / unit % radix)
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            unit /= radix
        }
    }
}
