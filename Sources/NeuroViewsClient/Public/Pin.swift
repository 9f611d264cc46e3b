import NeuroViewsCrypto

/// A public key of the server that the app knows: SHA-256 over its SubjectPublicKeyInfo (RFC 7469, 2.4).
///
/// A pin is checked in addition to the certificate. It belongs to the server's own certificate, not to an authority.
/// `openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
/// prints it.
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// The digest in Base64, 44 characters.
    public let base64: String

    /// Reads a digest in Base64. Returns nil for text that is not the Base64 of 32 bytes.
    public init?(_ base64: String) {
        guard Base64.padded.decode(base64)?.count == 32 else { return nil }
        self.base64 = base64
    }

    /// The digest in Base64.
    public var description: String { base64 }
}
