import NeuroViewsCrypto

/// An authenticator with one passkey, and its browser. Tests can falsify each part of the messages.
package struct SoftAuthenticator: Sendable {
    /// The key that signs the assertions.
    package let key: SigningKey
    /// The credential's id.
    package var id: [UInt8]
    /// The domain of the signatures.
    package var relyingParty: String
    /// The page's origin in the client data.
    package var origin: String
    /// The authenticator's flags; by default user present and user verified.
    package var flags: UInt8 = 0x05
    /// The signature counter of the next message.
    package var counter: UInt32 = 0
    /// Text after the origin in the client data.
    package var extra = #","crossOrigin":false"#

    /// Creates an authenticator with a random credential id.
    package init(key: SigningKey, relyingParty: String, origin: String) {
        self.key = key
        self.relyingParty = relyingParty
        self.origin = origin
        id = (try? SecureRandom.bytes(32)) ?? []
    }

    /// `clientDataJSON` of type `webauthn.create` or `webauthn.get`.
    package func clientData(_ type: String, challenge: [UInt8]) -> [UInt8] {
        let challenge = Base64.url.encode(challenge)
        return Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)"\#(extra)}"#.utf8)
    }

    /// Authenticator data without a key.
    package var authenticatorData: [UInt8] { data(flags) }

    private func data(_ flags: UInt8) -> [UInt8] {
        SHA256.hash(Array(relyingParty.utf8)) + [flags]
            + (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
    }

    /// Authenticator data with the key, as in a registration.
    package var registrationData: [UInt8] {
        let model = [UInt8](repeating: 0, count: 16)
        return data(flags | 0x40) + model + [UInt8(id.count >> 8), UInt8(id.count & 255)] + id + coseKey
    }

    /// An attestation object of format "none".
    package var attestationObject: [UInt8] { Self.attestationObject(registrationData) }

    /// An attestation object with the given authenticator data, format and statement.
    package static func attestationObject(_ data: [UInt8], format: String = "none", statement: [UInt8] = [0xa0])
        -> [UInt8]
    {
        [0xa3] + text("fmt") + text(format) + text("attStmt") + statement + text("authData") + bytes(data)
    }

    /// The public key in COSE format.
    package var coseKey: [UInt8] {
        let (first, second) = key.parts
        return key.isElliptic
            ? [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21] + Self.bytes(first) + [0x22] + Self.bytes(second)
            : [0xa4, 1, 3, 3, 0x39, 1, 0, 0x20] + Self.bytes(first) + [0x21] + Self.bytes(second)
    }

    /// The signature of an assertion.
    package func signature(clientData: [UInt8]) -> [UInt8] { key.sign(authenticatorData + SHA256.hash(clientData)) }

    /// The CBOR encoding of a byte string.
    package static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }

    /// The CBOR encoding of a text.
    package static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }

    private static func head(_ major: UInt8, _ count: Int) -> [UInt8] {
        switch count {
        case ..<24: [major << 5 | UInt8(count)]
        case ..<256: [major << 5 | 24, UInt8(count)]
        default: [major << 5 | 25, UInt8(count >> 8), UInt8(count & 255)]
        }
    }
}
