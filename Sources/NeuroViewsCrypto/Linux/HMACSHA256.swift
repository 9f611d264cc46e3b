/// HMAC-SHA-256 (RFC 2104) with one key, for any number of messages. It stores the two digest states derived from the
/// key, not the key.
public struct HMACSHA256: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    /// Any key length is accepted; a key above 64 bytes is hashed first (RFC 2104).
    public init(key: [UInt8]) {
        let blockBytes = 64
        let short = key.count > blockBytes ? SHA256.hash(key) : key
        var block = [UInt8](repeating: 0x36, count: blockBytes)
        for index in short.indices { block[index] ^= short[index] }
        inner = SHA256(startingWith: block)
        for index in block.indices { block[index] ^= 0x36 ^ 0x5c }
        outer = SHA256(startingWith: block)
        block.wipe()
    }

    /// Returns the tag of a message, 32 bytes.
    public func authenticate(_ message: Span<UInt8>) -> [UInt8] {
        var first = inner
        first.update(message)
        return [UInt8](unsafeUninitializedCapacity: SHA256.digestBytes) { buffer, count in
            // The inner digest goes to the buffer of the tag, which saves an array.
            first.finish(into: buffer)
            count = SHA256.digestBytes
            var second = outer
            second.update(UnsafeBufferPointer(rebasing: buffer[..<count]))
            second.finish(into: buffer)
        }
    }

    /// Returns the tag of a message, 32 bytes.
    public func authenticate(_ message: [UInt8]) -> [UInt8] {
        authenticate(message.span)
    }

    /// Returns true if `tag` is the message's whole tag. Compares in constant time; rejects a shortened tag.
    public func isValid(_ tag: [UInt8], for message: Span<UInt8>) -> Bool {
        constantTimeEquals(tag, authenticate(message))
    }

    /// Returns true if `tag` is the message's whole tag. Compares in constant time; rejects a shortened tag.
    public func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
        isValid(tag, for: message.span)
    }
}

extension HMACSHA256: CustomStringConvertible {
    /// A fixed text: the state is as secret as the key and must not reach a log.
    public var description: String { "HMACSHA256" }
}
