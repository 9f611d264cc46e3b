import COpenSSL

/// A third party's public key for checking signatures: ECDSA on P-256, or RSA with PKCS #1 v1.5, both with SHA-256.
public struct PublicKey: Sendable, Equatable {
    /// The supported algorithms (RFC 7518 section 3.1).
    public enum Algorithm: String, Sendable {
        /// ECDSA with P-256 and SHA-256.
        case es256 = "ES256"
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
    }

    /// The encoding of an ES256 signature. RS256 signatures have one form only.
    public enum SignatureForm: Sendable {
        /// A DER sequence of r and s (WebAuthn).
        case der
        /// r and s, 32 bytes each (JWS, RFC 7518 section 3.4).
        case raw
    }

    /// Shorter RSA moduli are too weak; longer ones make a check slow.
    public static let modulusBits = 2048...8192

    private enum Parts: Equatable {
        /// The uncompressed point.
        case p256([UInt8])
        /// Big-endian, without leading zeros.
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    private let parts: Parts

    /// The algorithm of the key's signatures.
    public var algorithm: Algorithm {
        switch parts {
        case .p256: .es256
        case .rsa: .rs256
        }
    }

    /// A key on P-256. Throws `.unusableKey` unless both coordinates have 32 bytes and the point is on the curve.
    public init(x: [UInt8], y: [UInt8]) throws(CryptoError) {
        guard x.count == 32, y.count == 32 else { throw .unusableKey("a coordinate of P-256 has 32 bytes") }
        parts = .p256([4] + x + y)
        EVP_PKEY_free(try open())
    }

    /// An RSA key. Throws `.unusableKey` for a modulus that is outside `modulusBits`, even, or weak by ROCA. Throws it
    /// too for an exponent that is even, below 65537 or above 32 bits.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard Self.modulusBits ~= bits, let last = modulus.last, last & 1 == 1 else {
            throw .unusableKey("an RSA modulus is odd and has 2048 to 8192 bits, not \(bits)")
        }
        let value = exponent.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard value & 1 == 1, 65537...0xffff_ffff ~= value else {
            throw .unusableKey("an RSA exponent is odd and between 65537 and 2^32")
        }
        guard !ROCA.isLikely(modulus) else { throw .unusableKey("an RSA modulus has the weakness CVE-2017-15361") }
        parts = .rsa(modulus: modulus, exponent: exponent)
        EVP_PKEY_free(try open())
    }

    /// Returns true if this key made the signature of the message. Never throws; returns false if the check can't run.
    public func isValid(_ signature: [UInt8], for message: [UInt8], form: SignatureForm) -> Bool {
        guard let signature = encoded(signature, form), let key = try? open() else { return false }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        // The error queue belongs to the thread: the next caller must not find the errors of this check.
        defer { ERR_clear_error() }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    private func encoded(_ signature: [UInt8], _ form: SignatureForm) -> [UInt8]? {
        switch (parts, form) {
        case (.p256, .raw): ECDSASignature.der(raw: signature)
        case (.p256, .der): signature
        // PKCS #1: the signature is exactly as long as the modulus.
        case (.rsa(let modulus, _), _): signature.count == modulus.count ? signature : nil
        }
    }

    private func open() throws(CryptoError) -> OpaquePointer {
        let key: OpaquePointer?
        switch parts {
        case .p256(var point):
            key = nv_p256_public_key(&point, point.count)
        case .rsa(let modulus, let exponent):
            // An OSSL_PARAM has numbers in the machine's byte order.
            var (n, e) = (Array(modulus.reversed()), Array(exponent.reversed()))
            key = nv_rsa_public_key(&n, n.count, &e, e.count)
        }
        guard let key else {
            ERR_clear_error()
            throw .unusableKey("OpenSSL does not take the public key")
        }
        return key
    }
}

extension PublicKey: CustomStringConvertible {
    /// Only the algorithm.
    public var description: String { "PublicKey(\(algorithm.rawValue))" }
}

/// ECDSA signatures on P-256.
enum ECDSASignature {
    /// Returns the DER form of r and s, or nil unless there are 32 bytes of each.
    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 64 else { return nil }
        let body = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(body.count)] + body
    }

    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        // A first bit of 1 would be a minus sign.
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
