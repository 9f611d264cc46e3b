import CryptoKit

/// SHA-256 (FIPS 180-4), in one call or in pieces. A value type: a copy continues from the same state.
public struct SHA256: Sendable {
    /// Length of a digest, in bytes.
    public static let digestBytes = 32

    private var context = CryptoKit.SHA256()

    /// Starts the digest of an empty message.
    public init() {}

    /// Appends bytes to the message.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { context.update(bufferPointer: $0) }
    }

    /// Returns the digest of all bytes so far, 32 bytes. The state stays unchanged.
    public func digest() -> [UInt8] { Array(context.finalize()) }

    /// Returns the digest of one message, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.digest()
    }
}
