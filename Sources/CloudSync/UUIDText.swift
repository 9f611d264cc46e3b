/// The text form of UUIDs (RFC 9562): 8-4-4-4-12 hexadecimal digits, in any case.
package enum UUIDText {
    /// Returns true if `text` is a UUID.
    package static func isValid(_ text: String) -> Bool { isValid(text[...]) }

    /// Returns true if `text` is a UUID. Not generic: it runs for every id in a path, and generic code took a tenth of
    /// a read's time.
    package static func isValid(_ text: Substring) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (index, byte) in text.utf8.enumerated() {
            let isRight =
                switch index {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: isHexDigit(byte)
                }
            guard isRight else { return false }
        }
        return true
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }
}
