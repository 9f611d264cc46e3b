import NeuroViewsCrypto

/// The encoding of mails that are not ASCII, for mail servers that pass 7 bits (RFC 2045, section 6.7).
enum QuotedPrintable {
    private static let lineMaxCharacters = 76

    /// Encodes UTF-8. Lines end with line feeds, as in the text.
    static func encode(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line(Array($0.utf8)) }.joined(separator: "\n")
    }

    private static func line(_ bytes: [UInt8]) -> String {
        var (encoded, width) = ("", 0)
        for (index, byte) in bytes.enumerated() {
            let part = isPlain(byte, isLast: index == bytes.count - 1) ? String(Unicode.Scalar(byte)) : escaped(byte)
            // The last column is for the sign of a line that goes on.
            if width + part.utf8.count >= lineMaxCharacters {
                encoded += "=\n"
                width = 0
            }
            encoded += part
            width += part.utf8.count
        }
        return encoded
    }

    /// Servers may remove a space at the end of a line.
    private static func isPlain(_ byte: UInt8, isLast: Bool) -> Bool {
        byte == UInt8(ascii: " ") ? !isLast : (33...126).contains(byte) && byte != UInt8(ascii: "=")
    }

    private static func escaped(_ byte: UInt8) -> String { "=" + Hex.encode([byte]).uppercased() }
}
