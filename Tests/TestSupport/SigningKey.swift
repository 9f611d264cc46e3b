import CNeuroViewsOpenSSL
import NeuroViewsCrypto

/// A private key of a test's issuer or authenticator. `@unchecked Sendable`: OpenSSL's keys are thread-safe.
package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer
    /// Nil for RSA.
    private let curve: PublicKey.Curve?
    /// True for ES256 and ES384, false for RS256.
    package var isElliptic: Bool { curve != nil }

    private init(_ key: OpaquePointer, _ curve: PublicKey.Curve?) {
        self.key = key
        self.curve = curve
    }

    deinit { EVP_PKEY_free(key) }

    /// A new key on P-256.
    package static func es256() -> SigningKey { elliptic(.p256) }

    /// A new key on P-384.
    package static func es384() -> SigningKey { elliptic(.p384) }

    private static func elliptic(_ curve: PublicKey.Curve) -> SigningKey {
        guard let key = nv_curve_key(curve.rawValue) else { fatalError("no key on \(curve.rawValue)") }
        return SigningKey(key, curve)
    }

    /// A new RSA key.
    package static func rs256(bits: Int32 = 2048) -> SigningKey {
        var key: OpaquePointer?
        let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { fatalError("no RSA key") }
        return SigningKey(key, nil)
    }

    /// The signature in OpenSSL's format: DER for ECDSA.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = signature.count
        let digest = curve == .p384 ? EVP_sha384() : EVP_sha256()
        guard EVP_DigestSignInit(context, nil, digest, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { fatalError("no signature") }
        return Array(signature[..<count])
    }

    /// The signature in the format of JWS: r and s for ECDSA.
    package func signRaw(_ message: [UInt8]) -> [UInt8] {
        let signature = sign(message)
        guard let curve else { return signature }
        let start = 4 + Int(signature[3])
        return Self.padded(signature[4..<start], curve) + Self.padded(signature[(start + 2)...], curve)
    }

    /// The point's coordinates, or the modulus and the exponent (RSA).
    package var parts: (first: [UInt8], second: [UInt8]) {
        guard let length = curve.map({ Int32($0.numberBytes) }) else { return (number("n", nil), number("e", nil)) }
        return (number("qx", length), number("qy", length))
    }

    private func number(_ name: String, _ count: Int32?) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { fatalError("no part \(name)") }
        defer { BN_free(number) }
        let length = count ?? (BN_num_bits(number) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: Int(length))
        BN_bn2binpad(number, &bytes, length)
        return bytes
    }

    private static func padded(_ digits: ArraySlice<UInt8>, _ curve: PublicKey.Curve) -> [UInt8] {
        let digits = digits.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: curve.numberBytes - digits.count) + digits
    }
}

extension SigningKey {
    /// The public key as JWK.
    package func jwk(kid: String) -> String {
        let (first, second) = (Base64.url.encode(parts.first), Base64.url.encode(parts.second))
        guard let curve else {
            return #"{"kty":"RSA","alg":"RS256","use":"sig","kid":"\#(kid)","n":"\#(first)","e":"\#(second)"}"#
        }
        let members = #""crv":"\#(curve.rawValue)","alg":"\#(curve == .p256 ? "ES256" : "ES384")""#
        return #"{"kty":"EC",\#(members),"use":"sig","kid":"\#(kid)","x":"\#(first)","y":"\#(second)"}"#
    }

    /// A JWS in the compact form. The header may be wrong: it is not checked against the key.
    package func token(header: String, payload: String) -> String {
        let text = Base64.url.encode(Array(header.utf8)) + "." + Base64.url.encode(Array(payload.utf8))
        return text + "." + Base64.url.encode(signRaw(Array(text.utf8)))
    }
}
