/// The formats that are checked; a schema with another format is rejected.
public enum Format: String, Sendable {
    /// RFC 9562.
    case uuid
    /// RFC 3339.
    case dateTime = "date-time"
    /// RFC 3339 `full-date`.
    case date
    /// RFC 5321, 4.1.2 and RFC 6531: see `EmailAddress`.
    case email
    /// A device's own name: no control characters (Unicode's category Cc).
    case deviceID = "device-id"

    /// Returns true if the string has this format.
    public func accepts(_ string: String) -> Bool {
        switch self {
        case .uuid: Self.isUUID(string.utf8.span)
        case .dateTime: Self.isDateTime(string.utf8.span)
        case .date: Self.isDate(string.utf8.span)
        case .email: EmailAddress(string) != nil
        case .deviceID: string.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    /// A description of the format, with an example.
    public var phrase: String {
        switch self {
        case .uuid: "a UUID such as 550e8400-e29b-41d4-a716-446655440000"
        case .dateTime: "an RFC 3339 date and time with offset, such as 2025-01-31T08:30:00Z"
        case .date: "an RFC 3339 date, such as 2025-01-31"
        case .email: "an e-mail address, such as name@example.org"
        case .deviceID: "a name without control characters, such as ipad-4F2A"
        }
    }

    /// The text form of RFC 9562: 8-4-4-4-12 hexadecimal digits in upper or lower case, of any version.
    private static func isUUID(_ text: borrowing Span<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in text.indices {
            switch index {
            case 8, 13, 18, 23:
                if text[index] != UInt8(ascii: "-") { return false }
            default:
                if !isHexDigit(text[index]) { return false }
            }
        }
        return true
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
