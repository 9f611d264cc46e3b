import Net

/// Where a streamed answer is written to.
public final class ResponseStream {
    private let connection: Connection
    private let isChunked: Bool
    /// Bytes still to be written of an answer with a known length.
    private var remaining: Int?
    private var turn = StreamTurn()

    init(_ connection: Connection, _ body: ResponseBody) {
        self.connection = connection
        isChunked = body == .chunked
        if case .sized(let length) = body { remaining = length }
    }

    /// Says how many bytes source and pieces keep in memory from now on; less than was said before changes nothing. Throws
    /// `RequestBodyError.overloaded` when there is no room for more.
    public func keep(bytes: Int) throws(RequestBodyError) { try connection.reserveForAnswer(bytes) }

    /// Sends a piece, and returns when the connection has taken it. Throws `SocketFailure`, or `ResponseLengthError.tooLong` and sends
    /// nothing when the piece exceeds the answer's length.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        if let remaining {
            guard bytes.count <= remaining else { throw ResponseLengthError.tooLong }
            self.remaining = remaining - bytes.count
        }
        try await connection.sendPiece(bytes, isChunked: isChunked)
        if turn.isOver(after: bytes.count) { await connection.socket.loop.yield() }
    }

    /// Whether `write(file:_:)` may be called: the answer has a known length, and the connection no TLS.
    public var takesFiles: Bool { remaining != nil && !connection.socket.isSecure }

    /// Sends a part of an open file without copying it, and returns when the connection has taken it. Throws as `write`. The part should be in
    /// the page cache, and no larger than a piece: whoever shares the event loop waits meanwhile.
    public func write(file: Int32, _ range: Range<Int>) async throws {
        // Without a length there would be chunks around it.
        guard let remaining, range.count <= remaining else { throw ResponseLengthError.tooLong }
        self.remaining = remaining - range.count
        try await connection.send(file: file, range)
        if turn.isOver(after: range.count) { await connection.socket.loop.yield() }
    }

    /// Throws `ResponseLengthError.tooShort` when less was written than the answer's length.
    public func checkEnd() throws(ResponseLengthError) {
        if let remaining, remaining > 0 { throw .tooShort }
    }
}

/// A streamed answer does not have its announced length. The connection is aborted, so that no client takes it for complete.
public enum ResponseLengthError: Error {
    /// The writer wrote more.
    case tooLong
    /// The writer wrote less.
    case tooShort
}
