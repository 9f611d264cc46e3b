import COpenSSL

/// A key that signs with Ed25519 (RFC 8032).
public struct Ed25519Key: Sendable {
    /// Length of a seed, in bytes.
    public static let seedBytes = 32
    /// The bytes before the 32-byte public key in a SubjectPublicKeyInfo (RFC 8410).
    private static let encodingPrefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// The private key: its owner can sign.
    public let seed: [UInt8]
    /// The public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The public key as a DER SubjectPublicKeyInfo, 44 bytes. A PEM file is its Base64 between two lines.
    public var encodedPublicKey: [UInt8] { Self.encodingPrefix + publicKey }

    /// A new random key. Throws `CryptoError`.
    public static func random() throws(CryptoError) -> Ed25519Key {
        try Ed25519Key(seed: SecureRandom.bytes(seedBytes))
    }

    /// Throws `.unusableKey` if the seed is not 32 bytes long.
    public init(seed: [UInt8]) throws(CryptoError) {
        guard seed.count == Self.seedBytes else {
            throw .unusableKey("an Ed25519 seed has 32 bytes, not \(seed.count)")
        }
        self.seed = seed
        let key = try Self.open(seed)
        defer { EVP_PKEY_free(key) }
        var bytes = [UInt8](repeating: 0, count: 32)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == bytes.count else {
            throw .fromOpenSSL("EVP_PKEY_get_raw_public_key")
        }
        publicKey = bytes
    }

    /// Returns the signature of a message, 64 bytes. Throws `CryptoError`.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let key = try Self.open(seed)
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { throw .fromOpenSSL("EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count
        else { throw .fromOpenSSL("EVP_DigestSign") }
        return signature
    }

    private static func open(_ seed: [UInt8]) throws(CryptoError) -> OpaquePointer {
        guard let key = EVP_PKEY_new_raw_private_key(NID_ED25519, nil, seed, seed.count) else {
            throw .fromOpenSSL("EVP_PKEY_new_raw_private_key")
        }
        return key
    }
}

extension Ed25519Key: CustomStringConvertible {
    /// Only the public key, for logs.
    public var description: String { "Ed25519Key(\(Hex.encode(publicKey)))" }
}
