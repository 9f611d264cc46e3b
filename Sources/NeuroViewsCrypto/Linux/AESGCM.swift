import CNeuroViewsOpenSSL

/// AES-256-GCM (NIST SP 800-38D) with one key, in place, for any number of messages. A nonce must never come twice for two
/// messages. The object is not for two threads at once.
public final class AESGCM {
    /// It keeps the key's schedule, which takes longer to make than a short message.
    private let cipher: OpaquePointer

    /// Takes a key of 32 bytes. Throws `.unusableKey` for another length.
    public init(key: [UInt8]) throws(CryptoError) {
        try Self.check(key: key)
        OpenSSLStart.begin()
        guard let cipher = EVP_CIPHER_CTX_new() else { throw .fromOpenSSL("EVP_CIPHER_CTX_new") }
        self.cipher = cipher
        guard EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nil, 1) == 1 else {
            throw .fromOpenSSL("EVP_CipherInit_ex")
        }
    }

    deinit { EVP_CIPHER_CTX_free(cipher) }

    /// Encrypts the bytes from `start` on, and appends their tag. `context` is authenticated, not encrypted.
    public func seal(
        _ buffer: inout [UInt8],
        from start: Int = 0,
        nonce: [UInt8],
        context: [UInt8] = []
    ) throws(CryptoError) {
        let end = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.tagBytes))
        try begin(nonce, encrypts: true, context)
        let isSealed = buffer.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress, pass(base + start, end - start) else { return false }
            var none: Int32 = 0
            return EVP_CipherFinal_ex(cipher, base + end, &none) == 1
                && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), base + end) == 1
        }
        guard isSealed else { throw .fromOpenSSL("EVP_CipherFinal_ex") }
    }

    /// Decrypts the bytes from `start` on, and removes the tag at their end. Throws `.unusableKey` for another key, nonce or
    /// context and for changed bytes: then the buffer ends at `start`, since bytes that were not authenticated are of no use.
    public func open(
        _ buffer: inout [UInt8],
        from start: Int = 0,
        nonce: [UInt8],
        context: [UInt8] = []
    ) throws(CryptoError) {
        let end = buffer.count - Self.tagBytes
        guard end >= start else { throw .unusableKey("the sealed bytes are too short") }
        try begin(nonce, encrypts: false, context)
        let isOpen = buffer.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress, pass(base + start, end - start) else { return false }
            var none: Int32 = 0
            return EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), base + end) == 1
                && EVP_CipherFinal_ex(cipher, base + end, &none) == 1
        }
        guard isOpen else {
            ERR_clear_error()
            buffer.removeSubrange(start...)
            throw .unusableKey("the sealed bytes do not open")
        }
        buffer.removeLast(Self.tagBytes)
    }

    /// Begins a message. The key stays.
    private func begin(_ nonce: [UInt8], encrypts: Bool, _ context: [UInt8]) throws(CryptoError) {
        try Self.check(nonce: nonce)
        guard EVP_CipherInit_ex(cipher, nil, nil, nil, nonce, encrypts ? 1 : 0) == 1 else {
            throw .fromOpenSSL("EVP_CipherInit_ex")
        }
        var count: Int32 = 0
        guard context.isEmpty || EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)) == 1 else {
            throw .fromOpenSSL("EVP_CipherUpdate")
        }
    }

    /// Encrypts or decrypts bytes where they are.
    private func pass(_ bytes: UnsafeMutablePointer<UInt8>, _ length: Int) -> Bool {
        var count: Int32 = 0
        return EVP_CipherUpdate(cipher, bytes, &count, bytes, Int32(length)) == 1 && Int(count) == length
    }
}
