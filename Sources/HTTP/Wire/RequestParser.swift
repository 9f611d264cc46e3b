/// A strict HTTP/1.1 server-side parser without I/O (RFC 9110, RFC 9112). The caller appends received bytes to
/// `input` and calls `next()` until it returns `needsMore`. The events and errors do not depend on how the bytes
/// were split. Anything that two implementations could read differently is an error. After an error only the
/// same error is thrown: respond and close.
public struct RequestParser: Sendable {
    /// An idle parser keeps its buffer only up to this size.
    private static let idleMaxBytes = 768
    /// Empty lines that are accepted before a request (RFC 9112, section 2.2 asks for at least one).
    private static let emptyLinesMaxCount = 4

    private enum State {
        case head
        case sized(remaining: Int)
        /// Rare and large: every idle connection would have its room.
        indirect case chunked(ChunkedDecoder)
        case failed(WireError)
    }

    /// Received bytes. Append to it only; `next()` removes the bytes that it has read.
    public var input: [UInt8] = []
    /// Content bytes of the current request that were returned so far, without framing.
    public private(set) var bodyBytes = 0

    private let limits: BoundedLimits
    private var consumed = 0
    private var state = State.head
    private var headParser: HeadParser
    private var emptyLines = 0

    /// A parser for one connection.
    public init(limits: WireLimits = WireLimits()) { self.init(BoundedLimits(limits)) }

    init(_ limits: BoundedLimits) {
        self.limits = limits
        headParser = HeadParser(limits)
    }

    /// True if the parser is between two requests and nothing of the next one has arrived.
    public var isIdle: Bool {
        guard case .head = state else { return false }
        return consumed == input.count && emptyLines == 0
    }

    /// The next event. After an error it throws the same error again.
    public mutating func next() throws(WireError) -> WireEvent {
        do throws(WireError) {
            switch state {
            case .head: return try nextHead()
            case .sized(let remaining): return nextSized(remaining)
            case .chunked(let decoder): return try nextChunked(decoder)
            case .failed(let error): throw error
            }
        } catch {
            state = .failed(error)
            input = []
            consumed = 0
            throw error
        }
    }

    /// Removes and returns the bytes that were received and not parsed, for another protocol.
    mutating func takeInput() -> [UInt8] {
        defer {
            input = []
            consumed = 0
        }
        return Array(input[consumed...])
    }

    private mutating func nextHead() throws(WireError) -> WireEvent {
        while true {
            switch try RequestParser.advance(&headParser, input, from: consumed) {
            case .incomplete: return needsMore()
            case .emptyLine: try passEmptyLine()
            case .complete(let bytes): return try beginRequest(headBytes: bytes)
            }
        }
    }

    /// Separates the two arguments, so that one can be read while the other changes.
    private static func advance(
        _ parser: inout HeadParser,
        _ input: [UInt8],
        from offset: Int
    ) throws(WireError) -> HeadParser.Progress {
        try parser.advance(input.span.extracting(offset..<input.count))
    }

    private mutating func passEmptyLine() throws(WireError) {
        guard emptyLines < RequestParser.emptyLinesMaxCount else { throw .emptyLinesBeforeRequest }
        emptyLines += 1
        consumed += 2
        headParser.begin()
    }

    private mutating func beginRequest(headBytes: Int) throws(WireError) -> WireEvent {
        let head = try headParser.finish(takeHead(headBytes))
        emptyLines = 0
        bodyBytes = 0
        switch head.bodyLength {
        case .none: state = .sized(remaining: 0)
        case .length(let length): state = .sized(remaining: length)
        case .chunked: state = .chunked(ChunkedDecoder(limits: limits.values))
        }
        return .head(head)
    }

    /// Returns the whole buffer if it is only this head and not much larger: it isn't copied,
    /// and an idle connection has no buffer.
    private mutating func takeHead(_ count: Int) -> [UInt8] {
        if consumed == 0, count == input.count, input.capacity <= max(RequestParser.idleMaxBytes, 2 * count) {
            var head: [UInt8] = []
            swap(&head, &input)
            return head
        }
        consumed += count
        return Array(input[(consumed - count)..<consumed])
    }

    private mutating func nextSized(_ remaining: Int) -> WireEvent {
        guard remaining > 0 else { return end() }
        let count = min(remaining, input.count - consumed)
        guard count > 0 else { return needsMore() }
        state = .sized(remaining: remaining - count)
        return .body(takeBody(count))
    }

    private mutating func nextChunked(_ current: ChunkedDecoder) throws(WireError) -> WireEvent {
        var decoder = current
        let step = try decoder.advance(input.span.extracting(consumed..<input.count))
        state = .chunked(decoder)
        switch step {
        case .incomplete(let framing):
            consumed += framing
            return needsMore()
        case .data(let framing, let count):
            consumed += framing
            return .body(takeBody(count))
        case .end(let framing):
            consumed += framing
            return end()
        }
    }

    /// Drops read input here, too: a caller may wait for bytes without another call, and never get `needsMore`.
    private mutating func end() -> WireEvent {
        state = .head
        if consumed == input.count { forgetInput() }
        return .end
    }

    /// Returns the whole buffer if it is only this piece and not much larger: a big upload isn't copied.
    private mutating func takeBody(_ count: Int) -> [UInt8] {
        bodyBytes += count
        if consumed == 0, count == input.count, input.capacity <= 2 * count {
            let piece = input
            input = []
            return piece
        }
        let piece = Array(input[consumed..<(consumed + count)])
        consumed += count
        return piece
    }

    /// Drops read input, once for each request for more bytes. Only an unfinished line or head is moved, so the cost
    /// is proportional to the received bytes.
    private mutating func needsMore() -> WireEvent {
        if consumed == input.count {
            forgetInput()
        } else if consumed > 0 {
            input.removeSubrange(..<consumed)
            consumed = 0
        }
        return .needsMore
    }

    private mutating func forgetInput() {
        if input.capacity > RequestParser.idleMaxBytes {
            input = []
        } else {
            input.removeAll(keepingCapacity: true)
        }
        consumed = 0
    }
}
