/// The proof that a server has understood the request for a WebSocket (RFC 6455, 4.2.2).
package enum Handshake {
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    /// The Base64 of 16 bytes has so many characters and two `=`.
    private static let keyCharacters = 22

    /// The value of Sec-WebSocket-Accept for a Sec-WebSocket-Key. Nil if the key is not the Base64 of 16 bytes.
    package static func accept(key: some StringProtocol) -> String? {
        let bytes = Array(key.utf8)
        guard bytes.count == keyCharacters + 2, bytes[keyCharacters...].elementsEqual("==".utf8),
            bytes[..<keyCharacters].allSatisfy({ Base64Text.alphabet.contains($0) })
        else { return nil }
        return Base64Text.encode(SHA1.digest(bytes + Array(suffix.utf8)))
    }
}

/// Base64 (RFC 4648, 4).
enum Base64Text {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let padded = Array(group) + [0, 0]
            let bits = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
