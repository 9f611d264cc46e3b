import Net

/// The destination of a streamed response.
public final class ResponseStream {
    private let connection: Connection
    private let isChunked: Bool
    /// The bytes that were reserved for the response at first.
    private let reservedBytes: Int
    /// Bytes still to be written of a response with a known length.
    private var remaining: Int?
    private var turn = StreamTurn()

    init(_ connection: Connection, _ body: ResponseBody) {
        self.connection = connection
        isChunked = body == .chunked
        reservedBytes = connection.reservedBytes
        if case .sized(let length) = body { remaining = length }
    }

    /// Announces the bytes that source and pieces keep in memory from now on; a smaller number than before changes
    /// nothing. Throws `RequestBodyError.overloaded` when there is no room for more.
    public func keep(bytes: Int) async throws(RequestBodyError) { try await connection.reserveForAnswer(bytes) }

    /// Sends a piece, and returns when the connection has accepted it. Throws `SocketFailure`. If the piece exceeds the
    /// response's length, sends nothing and throws `ResponseLengthError.tooLong`.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        if let remaining {
            guard bytes.count <= remaining else { throw ResponseLengthError.tooLong }
            self.remaining = remaining - bytes.count
        }
        try await connection.sendPiece(bytes, isChunked: isChunked)
        if turn.isOver(after: bytes.count) { await connection.socket.loop.yield() }
    }

    /// True if `write(file:_:)` may be called: the response has a known length, and the connection has no TLS.
    public var takesFiles: Bool { remaining != nil && !connection.socket.isSecure }

    /// Sends a part of an open file without copying it, and returns when the connection has accepted
    /// it. Throws as `write`. The part should be in the page cache, and no larger than a piece: other
    /// tasks of the event loop wait meanwhile. From then on the bytes in the socket's buffer count, at most `keepingBytes`
    /// of the response.
    public func write(file: Int32, _ range: Range<Int>) async throws {
        // Without a length it would need chunks around it.
        guard let remaining, range.count <= remaining else { throw ResponseLengthError.tooLong }
        self.remaining = remaining - range.count
        try await connection.send(file: file, range, keepingBytes: reservedBytes)
        if turn.isOver(after: range.count) { await connection.socket.loop.yield() }
    }

    /// Throws `ResponseLengthError.tooShort` when less was written than the response's length.
    public func checkEnd() throws(ResponseLengthError) {
        if let remaining, remaining > 0 { throw .tooShort }
    }
}

/// A streamed response does not have its announced length. The connection is aborted, so
/// that no client treats it as complete.
public enum ResponseLengthError: Error {
    /// The writer wrote more.
    case tooLong
    /// The writer wrote less.
    case tooShort
}
