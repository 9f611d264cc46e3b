/// Writes all strings of this module. Only the characters that RFC 8259 requires are escaped, in the short forms and
/// lower-case digits of RFC 8785; any other character is unchanged.
enum JSONEscaping {
    static func appendQuoted(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        if needsEscape(string) {
            for byte in string.utf8 { append(byte, to: &bytes) }
        } else {
            bytes.append(contentsOf: string.utf8)
        }
        bytes.append(Byte.quote)
    }

    private static func needsEscape(_ string: String) -> Bool {
        string.withBytes { bytes in
            for byte in bytes where isEscaped(byte) { return true }
            return false
        }
    }

    /// Returns true if a string can't contain the byte unescaped.
    static func isEscaped(_ byte: UInt8) -> Bool {
        byte < Byte.space || byte == Byte.quote || byte == Byte.backslash
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case Byte.quote, Byte.backslash: appendShort(byte, to: &bytes)
        case 0x08: appendShort(UInt8(ascii: "b"), to: &bytes)
        case Byte.tab: appendShort(UInt8(ascii: "t"), to: &bytes)
        case Byte.newline: appendShort(UInt8(ascii: "n"), to: &bytes)
        case 0x0C: appendShort(UInt8(ascii: "f"), to: &bytes)
        case Byte.carriageReturn: appendShort(UInt8(ascii: "r"), to: &bytes)
        case 0..<Byte.space: appendHex(byte, to: &bytes)
        default: bytes.append(byte)
        }
    }

    private static func appendShort(_ letter: UInt8, to bytes: inout [UInt8]) {
        bytes.append(Byte.backslash)
        bytes.append(letter)
    }

    private static func appendHex(_ byte: UInt8, to bytes: inout [UInt8]) {
        let low = byte & 0xF
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(Byte.zero + byte >> 4)
        bytes.append(low < 10 ? Byte.zero + low : UInt8(ascii: "a") + low - 10)
    }
}
