import CNeuroViewsOpenSSL

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D). A box is a random 12-byte nonce, the ciphertext and a
/// 16-byte tag.
public enum SealedBox {
    private static let (keyBytes, nonceBytes, tagBytes) = (32, 12, 16)

    /// Encrypts with a key of 32 bytes. `context` is authenticated, not encrypted; `open` needs the same. Throws
    /// `CryptoError`.
    public static func seal(_ content: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        let nonce = try SecureRandom.bytes(nonceBytes)
        let cipher = try Cipher(key, nonce, encrypts: true)
        try cipher.authenticate(context)
        let text = try cipher.update(content)
        return nonce + text + (try cipher.finish())
    }

    /// Decrypts. Throws `.unusableKey` for another key, another context or a changed box.
    public static func open(_ box: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard box.count >= nonceBytes + tagBytes else { throw .unusableKey("a sealed key is cut off") }
        let cipher = try Cipher(key, Array(box[..<nonceBytes]), encrypts: false)
        try cipher.authenticate(context)
        let content = try cipher.update(Array(box[nonceBytes..<(box.count - tagBytes)]))
        try cipher.finish(expecting: Array(box.suffix(tagBytes)))
        return content
    }

    /// One run of the cipher.
    private final class Cipher {
        private let context: OpaquePointer

        init(_ key: [UInt8], _ nonce: [UInt8], encrypts: Bool) throws(CryptoError) {
            guard key.count == SealedBox.keyBytes else {
                throw .unusableKey("AES-256 takes 32 bytes, not \(key.count)")
            }
            OpenSSLStart.begin()
            guard let context = EVP_CIPHER_CTX_new() else { throw .fromOpenSSL("EVP_CIPHER_CTX_new") }
            self.context = context
            guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0) == 1 else {
                throw .fromOpenSSL("EVP_CipherInit_ex")
            }
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        func authenticate(_ bytes: [UInt8]) throws(CryptoError) {
            var count: Int32 = 0
            guard EVP_CipherUpdate(context, nil, &count, bytes, Int32(bytes.count)) == 1 else {
                throw .fromOpenSSL("EVP_CipherUpdate")
            }
        }

        func update(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
            var output = [UInt8](repeating: 0, count: bytes.count)
            var count: Int32 = 0
            guard EVP_CipherUpdate(context, &output, &count, bytes, Int32(bytes.count)) == 1, count == bytes.count
            else {
                throw .fromOpenSSL("EVP_CipherUpdate")
            }
            return output
        }

        /// Ends an encryption and returns the tag.
        func finish() throws(CryptoError) -> [UInt8] {
            var tag = [UInt8](repeating: 0, count: SealedBox.tagBytes)
            var (none, count): (UInt8, Int32) = (0, 0)
            guard EVP_CipherFinal_ex(context, &none, &count) == 1,
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
            else { throw .fromOpenSSL("EVP_CipherFinal_ex") }
            return tag
        }

        /// Ends a decryption by checking the tag. No output is trustworthy before this.
        func finish(expecting tag: [UInt8]) throws(CryptoError) {
            var tag = tag
            var (none, count): (UInt8, Int32) = (0, 0)
            guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
                EVP_CipherFinal_ex(context, &none, &count) == 1
            else {
                ERR_clear_error()
                throw .unusableKey("a sealed key does not open")
            }
        }
    }
}
