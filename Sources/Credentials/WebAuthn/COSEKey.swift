import Crypto

/// A public key in the form of authenticators (RFC 9052 section 7): ES256 on P-256, or RS256.
package struct COSEKey: Sendable {
    /// The algorithms to offer, preferred first, as COSE numbers (RFC 9053, RFC 8812).
    package static let algorithms = [es256, rs256]
    private static let (es256, rs256) = (-7, -257)

    /// The encoding from the authenticator.
    package let encoded: [UInt8]
    /// The key that checks signatures.
    package let publicKey: PublicKey

    /// Reads a key. Throws `.publicKey`.
    package init(encoded: [UInt8]) throws(WebAuthnError) {
        do {
            publicKey = try Self.key(CBORReader.value(of: encoded))
        } catch {
            throw .publicKey
        }
        self.encoded = encoded
    }

    private static func key(_ value: CBORValue) throws -> PublicKey {
        // Label 1 is the key type, 3 the algorithm. The meaning of negative labels depends on the type.
        switch (value[.integer(1)]?.integer, value[.integer(3)]?.integer) {
        case (2, Int64(es256)):
            guard value[.integer(-1)]?.integer == 1, let x = value[.integer(-2)]?.bytes,
                let y = value[.integer(-3)]?.bytes
            else { throw WebAuthnError.publicKey }
            return try PublicKey(x: x, y: y)
        case (3, Int64(rs256)):
            guard let modulus = value[.integer(-1)]?.bytes, let exponent = value[.integer(-2)]?.bytes else {
                throw WebAuthnError.publicKey
            }
            return try PublicKey(modulus: modulus, exponent: exponent)
        default: throw WebAuthnError.publicKey
        }
    }
}
