/// The field Content-Disposition (RFC 6266) of a file that must be saved, never shown.
enum ContentDisposition {
    /// The name twice: in ASCII for old clients, and in UTF-8 (RFC 8187).
    static func attachment(_ filename: String?) -> String {
        guard let filename, !filename.isEmpty else { return "attachment" }
        return "attachment; filename=\"\(ascii(filename))\"; filename*=UTF-8''\(encoded(filename))"
    }

    /// Replaces characters that end the quotes, separate folders or are not printable.
    private static func ascii(_ name: String) -> String {
        String(
            name.unicodeScalars.map {
                $0.isASCII && $0.value >= 0x20 && !"\"\\/%\u{7F}".unicodeScalars.contains($0) ? Character($0) : "_"
            }
        )
    }

    private static func encoded(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            if isPlain || "-._~".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
