/// Base64 (RFC 4648) in the three forms that this server uses.
public enum Base64: Sendable {
    /// Section 4's alphabet with padding: keys and signatures in headers.
    case padded
    /// Section 4's alphabet without padding: the PHC string format.
    case unpadded
    /// Section 5's alphabet without padding: JWT segments.
    case url

    /// Encodes bytes as text.
    public func encode(_ bytes: [UInt8]) -> String {
        // Unlike that of an array, the span of a slice does not need iOS 26.
        let bytes = bytes[...]
        var text: [UInt8] = []
        encode(bytes.span, into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the encoded bytes to `text`.
    public func encode(_ bytes: Span<UInt8>, into text: inout [UInt8]) {
        let digits = self == .url ? urlDigits : standardDigits
        var position = text.count
        // The space is filled with padding first, so places that get no digit are already right.
        text.append(contentsOf: repeatElement(paddingSign, count: textBytes(for: bytes.count)))
        var index = 0
        while index < bytes.count {
            let taken = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if taken > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if taken > 2 { group |= UInt32(bytes[index + 2]) }
            text[position] = digits[Int(group >> 18)]
            text[position + 1] = digits[Int(group >> 12 & 63)]
            if taken > 1 { text[position + 2] = digits[Int(group >> 6 & 63)] }
            if taken > 2 { text[position + 3] = digits[Int(group & 63)] }
            index += taken
            position += 4
        }
    }

    private func textBytes(for byteCount: Int) -> Int {
        self == .padded ? (byteCount + 2) / 3 * 4 : (byteCount * 4 + 2) / 3
    }
}

let paddingSign = UInt8(ascii: "=")
private let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
let standardDigits = letters + Array("+/".utf8)
let urlDigits = letters + Array("-_".utf8)
