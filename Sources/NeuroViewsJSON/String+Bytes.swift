// Swift's `==` on strings follows canonical equivalence: "é" in one scalar equals "é" in two. JSON names and strings
// are the same only if their bytes are.
extension String {
    /// Makes a string of bytes; nil if they aren't UTF-8. `UTF8Span`, which checks them at once, needs iOS 26.
    ///
    /// `String(decoding:)` writes U+FFFD, three bytes, for each one to three bytes that aren't UTF-8. So with the same
    /// count of bytes nothing was replaced, or three by three: these begin a character of four, with F0 or higher.
    init?(checking bytes: Span<UInt8>) {
        // The bytes are read within the closure only.
        self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard utf8.count == bytes.count else { return nil }
        var highest: UInt8 = 0
        for index in bytes.indices { highest = max(highest, bytes[index]) }
        let isSame = highest < 0xF0 || withBytes { own in own.indices.allSatisfy { own[$0] == bytes[$0] } }
        if !isSame { return nil }
    }

    /// Passes the UTF-8 bytes, which last as long as the call. `utf8.span` needs iOS 26. On Apple's systems there are
    /// strings that must be copied for it.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }

    /// Returns true if both strings are the same UTF-8 bytes.
    public func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in
            other.withBytes { right in
                for index in left.indices where left[index] != right[index] {
                    return false
                }
                return true
            }
        }
    }

    /// Feeds the UTF-8 bytes to the hasher, eight at a time.
    func hashBytes(into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        for byte in utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count & 7 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }
}

/// A string as a dictionary key, compared by its bytes.
public struct ByteKey: Hashable, Sendable {
    /// The string.
    public let string: String

    /// The key of a string.
    public init(string: String) { self.string = string }

    /// Returns true if both have the same bytes.
    public static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.string.hasSameBytes(as: right.string)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        string.hashBytes(into: &hasher)
    }
}
