import COpenSSL
import Crypto

/// A private key of a test's issuer or authenticator. `@unchecked Sendable`: OpenSSL's keys are thread-safe.
package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer
    /// True for ES256, false for RS256.
    package let isElliptic: Bool

    private init(_ key: OpaquePointer, isElliptic: Bool) {
        self.key = key
        self.isElliptic = isElliptic
    }

    deinit { EVP_PKEY_free(key) }

    /// A new key on P-256.
    package static func es256() -> SigningKey {
        guard let key = nv_p256_key() else { fatalError("no key on P-256") }
        return SigningKey(key, isElliptic: true)
    }

    /// A new RSA key.
    package static func rs256(bits: Int32 = 2048) -> SigningKey {
        var key: OpaquePointer?
        let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { fatalError("no RSA key") }
        return SigningKey(key, isElliptic: false)
    }

    /// The signature in OpenSSL's format: DER for ES256.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { fatalError("no signature") }
        return Array(signature[..<count])
    }

    /// The signature in the format of JWS: r and s for ES256.
    package func signRaw(_ message: [UInt8]) -> [UInt8] {
        let signature = sign(message)
        guard isElliptic else { return signature }
        let start = 4 + Int(signature[3])
        return Self.padded(signature[4..<start]) + Self.padded(signature[(start + 2)...])
    }

    /// The point's coordinates (P-256), or the modulus and the exponent (RSA).
    package var parts: (first: [UInt8], second: [UInt8]) {
        isElliptic ? (number("qx", 32), number("qy", 32)) : (number("n", nil), number("e", nil))
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

    private static func padded(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        let digits = digits.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }
}

extension SigningKey {
    /// The public key as JWK.
    package func jwk(kid: String) -> String {
        let (first, second) = (Base64.url.encode(parts.first), Base64.url.encode(parts.second))
        return isElliptic
            ? #"{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\#(kid)","x":"\#(first)","y":"\#(second)"}"#
            : #"{"kty":"RSA","alg":"RS256","use":"sig","kid":"\#(kid)","n":"\#(first)","e":"\#(second)"}"#
    }

    /// A JWS in the compact form. The header may be wrong: it is not checked against the key.
    package func token(header: String, payload: String) -> String {
        let text = Base64.url.encode(Array(header.utf8)) + "." + Base64.url.encode(Array(payload.utf8))
        return text + "." + Base64.url.encode(signRaw(Array(text.utf8)))
    }
}
