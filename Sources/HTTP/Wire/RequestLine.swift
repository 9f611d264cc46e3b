/// "method SP target SP version" (RFC 9112, section 3), with exactly one space between.
struct RequestLine: Sendable {
    let method: ByteRange
    let parts: TargetParts
    let minorVersion: Int

    init(_ bytes: borrowing Span<UInt8>, line: Range<Int>) throws(WireError) {
        let methodEnd = try RequestLine.endOfMethod(bytes, line: line)
        let targetEnd = try RequestLine.endOfTarget(bytes, from: methodEnd + 1, lineEnd: line.upperBound)
        minorVersion = try RequestLine.minorVersion(bytes, (targetEnd + 1)..<line.upperBound)
        method = ByteRange(line.lowerBound, methodEnd)
        let name = Method(token: bytes.extracting(line.lowerBound..<methodEnd))
        parts = try TargetParts(bytes, target: (methodEnd + 1)..<targetEnd, method: name)
    }

    private static func endOfMethod(_ bytes: borrowing Span<UInt8>, line: Range<Int>) throws(WireError) -> Int {
        var index = line.lowerBound
        while index < line.upperBound, bytes[index].isToken { index += 1 }
        guard index < line.upperBound else { throw .malformedRequestLine }
        guard index > line.lowerBound, bytes[index] == .space else { throw .invalidMethod }
        return index
    }

    private static func endOfTarget(
        _ bytes: borrowing Span<UInt8>,
        from start: Int,
        lineEnd: Int
    ) throws(WireError) -> Int {
        var index = start
        while index < lineEnd, bytes[index].isTarget { index += 1 }
        guard index < lineEnd, index > start else { throw index < lineEnd ? .invalidTarget : .malformedRequestLine }
        guard bytes[index] == .space else { throw .invalidTarget }
        return index
    }

    /// "HTTP/" DIGIT "." DIGIT (RFC 9112, section 2.3), in capitals.
    private static func minorVersion(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) throws(WireError) -> Int {
        let (start, major, minor) = (range.lowerBound, range.lowerBound + 5, range.lowerBound + 7)
        guard range.count == 8, bytes[start] == 0x48, bytes[start + 1] == 0x54, bytes[start + 2] == 0x54,
            bytes[start + 3] == 0x50, bytes[start + 4] == .slash, bytes[major].isDigit, bytes[major + 1] == 0x2E,
            bytes[minor].isDigit
        else { throw .malformedVersion }
        guard bytes[major] == 0x31 else { throw .unsupportedVersion }
        return bytes[minor] == 0x30 ? 0 : 1
    }
}
