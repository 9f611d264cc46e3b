import NeuroViewsCrypto

/// A token in a mail, or printed for an invitation: 256 random bits. The database stores only its digest.
package struct MailedToken: Sendable {
    /// Base64 for URLs.
    package let text: String
    private static let randomBytes = 32

    /// Makes a new token.
    package init() throws(CryptoError) { text = Base64.url.encode(try SecureRandom.bytes(Self.randomBytes)) }

    /// Takes the token of a request, without the white space that copying from a mail adds.
    package init(_ text: String) { self.text = String(text.unicodeScalars.filter { !$0.properties.isWhitespace }) }

    /// The stored digest.
    package var hash: [UInt8] { SHA256.hash(Array(text.utf8)) }
}
