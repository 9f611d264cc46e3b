/// Authenticated encryption of one value with AES-256-GCM. A box is a random 12-byte nonce, the ciphertext and a 16-byte tag.
public enum SealedBox {
    /// Bytes that a box has more than its content.
    public static let addedBytes = AESGCM.nonceBytes + AESGCM.tagBytes

    /// Encrypts with a key of 32 bytes. `context` is authenticated, not encrypted; `open` needs the same. Throws
    /// `CryptoError`.
    public static func seal(_ content: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        let nonce = try SecureRandom.bytes(AESGCM.nonceBytes)
        var box = nonce + content
        try AESGCM(key: key).seal(&box, from: nonce.count, nonce: nonce, context: context)
        return box
    }

    /// Decrypts. Throws `.unusableKey` for another key, another context or a changed box.
    public static func open(_ box: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard box.count >= addedBytes else { throw .unusableKey("the sealed bytes are too short") }
        var content = Array(box[AESGCM.nonceBytes...])
        try AESGCM(key: key).open(&content, nonce: Array(box[..<AESGCM.nonceBytes]), context: context)
        return content
    }
}

// The same on all systems.
extension AESGCM {
    /// Length of a key, in bytes.
    public static let keyBytes = 32
    /// Length of a nonce, in bytes.
    public static let nonceBytes = 12
    /// Length of a tag, in bytes.
    public static let tagBytes = 16

    static func check(key: [UInt8]) throws(CryptoError) {
        guard key.count == keyBytes else { throw .unusableKey("AES-256 takes 32 bytes, not \(key.count)") }
    }

    static func check(nonce: [UInt8]) throws(CryptoError) {
        guard nonce.count == nonceBytes else { throw .unusableKey("AES-GCM takes a nonce of 12 bytes") }
    }
}
