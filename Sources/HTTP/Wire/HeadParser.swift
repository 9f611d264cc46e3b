/// Reads one message head line by line as it arrives. Each call of `advance` gets the same bytes and
/// more, starting with the first byte of the head. A line is checked when it is complete, so the result
/// does not depend on how the bytes were split.
struct HeadParser: Sendable {
    enum Progress {
        case incomplete
        /// An empty line in place of the request line. The caller drops it and starts again after it.
        case emptyLine
        /// The head has this many bytes.
        case complete(bytes: Int)
    }

    private let limits: BoundedLimits
    private var scanner = LineScanner()
    private var lineStart = 0
    private var requestLine: RequestLine?
    private var lines: [FieldLine] = []
    private var facts = HeadFacts()

    init(_ limits: BoundedLimits) { self.limits = limits }

    mutating func advance(_ bytes: borrowing Span<UInt8>) throws(WireError) -> Progress {
        if requestLine == nil {
            guard let end = try endOfRequestLine(bytes) else { return .incomplete }
            if end == 0 { return .emptyLine }
            requestLine = try RequestLine(bytes, line: 0..<end)
            lineStart = end + 2
        }
        while let end = try endOfFieldLine(bytes) {
            let start = lineStart
            lineStart = end + 2
            if end == start { return .complete(bytes: lineStart) }
            try addField(bytes, start..<end)
        }
        return .incomplete
    }

    /// The head, after `advance` has returned `complete`; `bytes` are exactly its own. The parser starts again.
    mutating func finish(_ bytes: [UInt8]) throws(WireError) -> RequestHead {
        guard let requestLine else { throw .malformedRequestLine }
        defer { begin() }
        let minorVersion = requestLine.minorVersion
        let bodyLength = try facts.bodyLength(minorVersion: minorVersion)
        return RequestHead(
            method: Method(token: bytes.span.extracting(requestLine.method.range)),
            minorVersion: minorVersion,
            headers: Headers(bytes: bytes, lines: lines),
            bodyLength: bodyLength,
            keepsAlive: facts.keepsAlive(minorVersion: minorVersion),
            expectsContinue: facts.expectsContinue(minorVersion: minorVersion, bodyLength: bodyLength),
            parts: requestLine.parts
        )
    }

    /// Prepares for the next head.
    mutating func begin() {
        scanner = LineScanner()
        lineStart = 0
        requestLine = nil
        lines = []
        facts = HeadFacts()
    }

    private mutating func endOfRequestLine(_ bytes: borrowing Span<UInt8>) throws(WireError) -> Int? {
        let maxBytes = min(limits.values.requestLineMaxBytes, limits.values.headMaxBytes - 4)
        switch try scanner.scan(bytes, from: 0, maxBytes: maxBytes) {
        case .incomplete: return nil
        case .tooLong: throw .requestLineTooLong
        case .line(let end): return end
        }
    }

    private mutating func endOfFieldLine(_ bytes: borrowing Span<UInt8>) throws(WireError) -> Int? {
        switch try scanner.scan(bytes, from: lineStart, maxBytes: limits.values.headMaxBytes - 2 - lineStart) {
        case .incomplete: return nil
        case .tooLong: throw .headTooLarge
        case .line(let end): return end
        }
    }

    private mutating func addField(_ bytes: borrowing Span<UInt8>, _ line: Range<Int>) throws(WireError) {
        guard !bytes[line.lowerBound].isBlank else {
            throw lines.isEmpty ? .whitespaceBeforeFirstField : .obsoleteLineFolding
        }
        guard lines.count < limits.values.fieldsMaxCount else { throw .tooManyFields }
        if lines.isEmpty { lines.reserveCapacity(min(16, limits.values.fieldsMaxCount)) }
        let field = try FieldLine(bytes, line: line)
        try facts.note(field, lineEnd: line.upperBound, in: bytes)
        lines.append(field)
    }
}
