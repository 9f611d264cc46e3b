import Crypto

/// A token that is mailed, or printed for an invitation: 256 random bits. The database knows its digest alone.
public struct MailedToken: Sendable {
    /// Base64 for URLs.
    public let text: String
    private static let randomBytes = 32

    /// A new one.
    public init() throws(CryptoError) { text = Base64.url.encode(try SecureRandom.bytes(Self.randomBytes)) }

    /// One that somebody sends.
    public init(_ text: String) { self.text = text }

    /// What is stored.
    public var hash: [UInt8] { SHA256.hash(Array(text.utf8)) }
}
