// Swift's `==` on strings follows canonical equivalence: "é" in one scalar equals "é" in two. JSON names and strings
// are the same only if their bytes are.
extension String {
    /// Returns true if both strings are the same UTF-8 bytes.
    public func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let left = utf8.span
        let right = other.utf8.span
        for index in left.indices where left[index] != right[index] {
            return false
        }
        return true
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
