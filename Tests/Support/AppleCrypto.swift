// Stands for the folder of NeuroViewsCrypto that a platform has of its own, for `apple-check`: CryptoKit's interface is
// not in the toolchain. Only what the portable files call.

/// Stands for the HMAC over CryptoKit.
public struct HMACSHA256: Sendable {
    /// Takes a key.
    public init(key: [UInt8]) {}

    /// Returns a tag.
    public func authenticate(_ message: [UInt8]) -> [UInt8] { message }

    /// Returns the verdict on a tag.
    public func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool { tag == message }
}

extension [UInt8] {
    /// Overwrites the bytes.
    public mutating func wipe() {}
}
