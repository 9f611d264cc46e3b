extension Span<UInt8> {
    /// Decodes "%XY" at this offset (RFC 3986, section 2.1). Returns nil when these are not
    /// two hexadecimal digits within `end`.
    func percentDecoded(at index: Int, end: Int) -> UInt8? {
        guard index + 2 < end, let high = self[index + 1].hexadecimalValue,
            let low = self[index + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}

/// Turns percent-encoded bytes into text.
enum PercentDecoding {
    enum Failure: Error {
        /// A `%` without two hexadecimal digits, or a byte outside ASCII that should have been encoded.
        case malformed
        /// An encoded NUL, which would end a text early in C and cannot be stored by PostgreSQL.
        case encodedNUL
        /// The decoded bytes are not UTF-8.
        case invalidUTF8
    }

    static func decode(_ slice: ArraySlice<UInt8>) throws(Failure) -> String {
        let bytes = slice.span
        guard !isPlain(bytes) else { return String(decoding: slice, as: UTF8.self) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            guard byte < 0x80 else { throw .malformed }
            index += 1
            if byte == .percent {
                guard let value = bytes.percentDecoded(at: index - 1, end: bytes.count) else { throw .malformed }
                byte = value
                index += 2
            }
            guard byte != 0 else { throw .encodedNUL }
            decoded.append(byte)
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    /// Returns true if the bytes are ASCII and need no decoding, as most do.
    static func isPlain(_ bytes: borrowing Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count, bytes[index] != .percent, bytes[index] &- 1 < 0x7F { index += 1 }
        return index == bytes.count
    }
}
