/// HMAC-SHA-256 (RFC 2104) with one key, made once and used for any number of messages.
/// It keeps the two digest states that the key leads to, not the key.
public struct HMACSHA256: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    /// Any key length is accepted; one above 64 bytes is hashed first, as the RFC says.
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

    /// The tag of a message, 32 bytes.
    public func authenticate(_ message: Span<UInt8>) -> [UInt8] {
        var first = inner
        first.update(message)
        return [UInt8](unsafeUninitializedCapacity: SHA256.digestBytes) { buffer, count in
            // The inner digest is written where the tag goes after it, which saves an array.
            first.finish(into: buffer)
            count = SHA256.digestBytes
            var second = outer
            second.update(UnsafeBufferPointer(rebasing: buffer[..<count]))
            second.finish(into: buffer)
        }
    }

    /// The tag of a message, 32 bytes.
    public func authenticate(_ message: [UInt8]) -> [UInt8] {
        authenticate(message.span)
    }

    /// Whether `tag` is the message's whole tag, compared in constant time. A shortened tag is not accepted.
    public func isValid(_ tag: [UInt8], for message: Span<UInt8>) -> Bool {
        constantTimeEquals(tag, authenticate(message))
    }

    /// Whether `tag` is the message's whole tag, compared in constant time. A shortened tag is not accepted.
    public func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
        isValid(tag, for: message.span)
    }
}

extension HMACSHA256: CustomStringConvertible {
    /// A fixed text: the state is as good as the key and must not reach a log.
    public var description: String { "HMACSHA256" }
}
