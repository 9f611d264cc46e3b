/// The text form of UUIDs (RFC 9562): 8-4-4-4-12 hexadecimal digits, in any case.
public enum UUIDText {
    /// Whether `text` is one.
    public static func isValid(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexDigit(byte)
            }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }
}
