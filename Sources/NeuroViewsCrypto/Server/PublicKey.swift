import CNeuroViewsOpenSSL

/// A third party's public key for checking signatures: ECDSA on P-256 or P-384, or RSA with PKCS #1 v1.5.
public struct PublicKey: Sendable, Equatable {
    /// The supported algorithms (RFC 7518 section 3.1).
    public enum Algorithm: String, Sendable {
        /// ECDSA with P-256 and SHA-256.
        case es256 = "ES256"
        /// ECDSA with P-384 and SHA-384.
        case es384 = "ES384"
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
    }

    /// A curve by its name in JWK and in OpenSSL.
    public enum Curve: String, Sendable {
        /// The curve of ES256.
        case p256 = "P-256"
        /// The curve of ES384.
        case p384 = "P-384"

        /// The length of a coordinate, and of each number of a signature.
        public var numberBytes: Int { self == .p256 ? 32 : 48 }
    }

    /// The encoding of a signature by ECDSA. RS256 signatures have one form only.
    public enum SignatureForm: Sendable {
        /// A DER sequence of r and s (WebAuthn).
        case der
        /// r and s, each as long as a coordinate (JWS, RFC 7518 section 3.4).
        case raw
    }

    /// Shorter RSA moduli are too weak; longer ones make a check slow.
    public static let modulusBits = 2048...8192

    private enum Parts: Equatable {
        /// The uncompressed point.
        case point(Curve, [UInt8])
        /// Big-endian, without leading zeros.
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    private let parts: Parts

    /// The algorithm of the key's signatures.
    public var algorithm: Algorithm {
        switch parts {
        case .point(.p256, _): .es256
        case .point(.p384, _): .es384
        case .rsa: .rs256
        }
    }

    /// A key on a curve. Throws `.unusableKey` unless both coordinates have its length and the point is on it.
    public init(x: [UInt8], y: [UInt8], curve: Curve = .p256) throws(CryptoError) {
        let length = curve.numberBytes
        guard x.count == length, y.count == length else {
            throw .unusableKey("a coordinate of \(curve.rawValue) has \(length) bytes")
        }
        parts = .point(curve, [4] + x + y)
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
        let digest = algorithm == .es384 ? EVP_sha384() : EVP_sha256()
        guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    private func encoded(_ signature: [UInt8], _ form: SignatureForm) -> [UInt8]? {
        switch (parts, form) {
        case (.point(let curve, _), .raw): ECDSASignature.der(raw: signature, curve)
        case (.point, .der): signature
        // PKCS #1: the signature is exactly as long as the modulus.
        case (.rsa(let modulus, _), _): signature.count == modulus.count ? signature : nil
        }
    }

    private func open() throws(CryptoError) -> OpaquePointer {
        let key: OpaquePointer?
        switch parts {
        case .point(let curve, var point):
            key = nv_curve_public_key(curve.rawValue, &point, point.count)
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

/// ECDSA signatures.
enum ECDSASignature {
    /// Returns the DER form of r and s, or nil unless each has the curve's length. The form is shorter than 128 bytes.
    static func der(raw: [UInt8], _ curve: PublicKey.Curve) -> [UInt8]? {
        guard raw.count == 2 * curve.numberBytes else { return nil }
        let body = integer(raw[..<curve.numberBytes]) + integer(raw[curve.numberBytes...])
        return [0x30, UInt8(body.count)] + body
    }

    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        // A first bit of 1 would be a minus sign.
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
