import CryptoKit
import Foundation

/// HMAC-SHA-256 (RFC 2104) with one key, for any number of messages.
public struct HMACSHA256: Sendable {
    private let key: SymmetricKey

    /// Any key length is accepted; a key above 64 bytes is hashed first (RFC 2104).
    public init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// Returns the tag of a message, 32 bytes.
    public func authenticate(_ message: [UInt8]) -> [UInt8] {
        Array(HMAC<CryptoKit.SHA256>.authenticationCode(for: message, using: key))
    }

    /// Returns true if `tag` is the message's whole tag. Compares in constant time; rejects a shortened tag.
    public func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
        constantTimeEquals(tag, authenticate(message))
    }
}

extension HMACSHA256: CustomStringConvertible {
    /// A fixed text: the key must not reach a log.
    public var description: String { "HMACSHA256" }
}
