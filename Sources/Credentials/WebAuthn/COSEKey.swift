import NeuroViewsCrypto

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

    /// A key in place of that of an unknown passkey, so that a refusal takes the same time: type, algorithm and curve,
    /// then x and y of the base point of P-256. Its private key is known, so no signature by it may ever count.
    package static let standIn: [UInt8] = {
        let (start, between) = ("a5010203262001215820", "225820")
        let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        return Hex.decode(Array((start + x + between + y).utf8)[...]) ?? []
    }()

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
