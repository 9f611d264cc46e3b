/// The line before a chunk: its size in hexadecimal and extensions, which are checked
/// and dropped (RFC 9112, section 7.1).
struct ChunkLine {
    let sizeBytes: Int
    /// Bytes after the digits.
    let extensionBytes: Int

    init(_ bytes: borrowing Span<UInt8>, line: Range<Int>, maxDigits: Int) throws(WireError) {
        var (index, size) = (line.lowerBound, 0)
        while index < line.upperBound, let digit = bytes[index].hexadecimalValue {
            guard index - line.lowerBound < maxDigits else { throw .malformedChunkSize }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > line.lowerBound else { throw .malformedChunkSize }
        sizeBytes = size
        extensionBytes = line.upperBound - index
        guard index < line.upperBound else { return }
        guard bytes[index] == .semicolon || bytes[index].isBlank else { throw .malformedChunkSize }
        var cursor = ExtensionCursor(index: index, end: line.upperBound)
        while cursor.index < cursor.end {
            guard cursor.skipExtension(bytes) else { throw .malformedChunkExtension }
        }
    }
}

/// Skips one `BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ]` at a time. Trailing white space belongs to no
/// extension and makes the next call fail.
private struct ExtensionCursor {
    var index: Int
    let end: Int

    mutating func skipExtension(_ bytes: borrowing Span<UInt8>) -> Bool {
        skipBlanks(bytes)
        guard skip(.semicolon, bytes) else { return false }
        skipBlanks(bytes)
        guard skipToken(bytes) else { return false }
        let nameEnd = index
        skipBlanks(bytes)
        guard skip(.equals, bytes) else {
            index = nameEnd
            return true
        }
        skipBlanks(bytes)
        return skip(.quote, bytes) ? skipQuoted(bytes) : skipToken(bytes)
    }

    private mutating func skip(_ byte: UInt8, _ bytes: borrowing Span<UInt8>) -> Bool {
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks(_ bytes: borrowing Span<UInt8>) {
        while index < end, bytes[index].isBlank { index += 1 }
    }

    private mutating func skipToken(_ bytes: borrowing Span<UInt8>) -> Bool {
        let start = index
        while index < end, bytes[index].isToken { index += 1 }
        return index > start
    }

    /// The rest of a quoted string. The scanner has already rejected control characters.
    private mutating func skipQuoted(_ bytes: borrowing Span<UInt8>) -> Bool {
        while index < end {
            if skip(.quote, bytes) { return true }
            index += bytes[index] == .backslash ? 2 : 1
        }
        return false
    }
}
