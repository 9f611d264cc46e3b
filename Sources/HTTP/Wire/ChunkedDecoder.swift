/// Removes the chunked coding from a body (RFC 9112, section 7.1). It reports the bytes of framing, which must be
/// skipped, and the data. Bytes that were not skipped are passed again, with more after them.
struct ChunkedDecoder: Sendable {
    enum Step {
        /// Skip `framing` bytes, then call again with more.
        case incomplete(framing: Int)
        /// Skip `framing` bytes; the `count` bytes after them are data.
        case data(framing: Int, count: Int)
        /// Skip `framing` bytes; the body is complete.
        case end(framing: Int)
    }

    private enum State {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailers
    }

    private let limits: WireLimits
    private var state = State.size
    private var scanner = LineScanner()
    private var extensionBytes = 0
    private var trailerBytes = 0
    private var trailerCount = 0

    init(limits: WireLimits) {
        self.limits = limits
    }

    mutating func advance(_ bytes: borrowing Span<UInt8>) throws(WireError) -> Step {
        var offset = 0
        while true {
            switch state {
            case .data(let remaining):
                let count = min(remaining, bytes.count - offset)
                if count == 0 { return .incomplete(framing: offset) }
                state = count == remaining ? .dataEnd : .data(remaining: remaining - count)
                return .data(framing: offset, count: count)
            case .dataEnd:
                guard try passDataEnd(bytes, &offset) else { return .incomplete(framing: offset) }
            case .size:
                guard try passSize(bytes, &offset) else { return .incomplete(framing: offset) }
            case .trailers:
                guard let isLast = try passTrailer(bytes, &offset) else { return .incomplete(framing: offset) }
                if isLast { return .end(framing: offset) }
            }
        }
    }

    private mutating func passDataEnd(_ bytes: borrowing Span<UInt8>, _ offset: inout Int) throws(WireError) -> Bool {
        guard offset < bytes.count else { return false }
        guard bytes[offset] == .carriageReturn else { throw .malformedChunkEnd }
        guard offset + 1 < bytes.count else { return false }
        guard bytes[offset + 1] == .lineFeed else { throw .malformedChunkEnd }
        offset += 2
        state = .size
        return true
    }

    private mutating func passSize(_ bytes: borrowing Span<UInt8>, _ offset: inout Int) throws(WireError) -> Bool {
        let extensionMaxBytes = limits.chunkExtensionsMaxBytes - extensionBytes
        let maxBytes = limits.chunkSizeMaxDigits + extensionMaxBytes
        guard let end = try endOfLine(bytes, offset, maxBytes: maxBytes, tooLong: .chunkExtensionsTooLarge) else {
            return false
        }
        let line = try ChunkLine(bytes, line: offset..<end, maxDigits: limits.chunkSizeMaxDigits)
        guard line.extensionBytes <= extensionMaxBytes else { throw .chunkExtensionsTooLarge }
        extensionBytes += line.extensionBytes
        state = line.sizeBytes == 0 ? .trailers : .data(remaining: line.sizeBytes)
        offset = end + 2
        return true
    }

    /// Returns true if the skipped line was the empty one that ends the body; nil without a whole line.
    private mutating func passTrailer(_ bytes: borrowing Span<UInt8>, _ offset: inout Int) throws(WireError) -> Bool? {
        let maxBytes = limits.trailersMaxBytes - trailerBytes - 2
        guard let end = try endOfLine(bytes, offset, maxBytes: maxBytes, tooLong: .trailersTooLarge) else { return nil }
        let line = offset..<end
        offset = end + 2
        if line.isEmpty { return true }
        guard trailerCount < limits.fieldsMaxCount else { throw .trailersTooLarge }
        guard !bytes[line.lowerBound].isBlank else { throw .obsoleteLineFolding }
        _ = try FieldLine(bytes, line: line)
        trailerCount += 1
        trailerBytes += line.count + 2
        return false
    }

    /// If the end has not arrived, `offset` bytes are skipped and the scanner continues from the start of the line.
    private mutating func endOfLine(
        _ bytes: borrowing Span<UInt8>,
        _ offset: Int,
        maxBytes: Int,
        tooLong: WireError
    ) throws(WireError) -> Int? {
        let line = bytes.extracting(offset..<bytes.count)
        switch try scanner.scan(line, from: 0, maxBytes: maxBytes) {
        case .incomplete: return nil
        case .tooLong: throw tooLong
        case .line(let end):
            scanner = LineScanner()
            return offset + end
        }
    }
}
