/// An answer as a handler makes it.
public struct Response: Sendable {
    /// The status code.
    public var status: Status
    /// Header fields in order; Date, Content-Length, Transfer-Encoding and Connection are the server's.
    public var fields: FieldBlock
    /// The content.
    public var content: ResponseContent

    /// Makes an answer.
    public init(_ status: Status, fields: FieldBlock = [], content: ResponseContent = .empty) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}

/// The content of an answer.
public enum ResponseContent: Sendable {
    /// None.
    case empty
    /// All of it.
    case bytes([UInt8])
    /// Made while it is sent, chunked. Source and pieces keep so many bytes in memory meanwhile.
    case stream(keepingBytes: Int, @Sendable (ResponseStream) async throws -> Void)
}

/// Where a streamed answer is written to.
public final class ResponseStream {
    private let connection: Connection
    private let isChunked: Bool

    init(_ connection: Connection, isChunked: Bool) {
        self.connection = connection
        self.isChunked = isChunked
    }

    /// Says how many bytes source and pieces keep in memory from now on; less than was said before changes nothing. Throws
    /// `RequestBodyError.overloaded` when there is no room for more.
    public func keep(bytes: Int) throws(RequestBodyError) { try connection.reserveForAnswer(bytes) }

    /// Sends a piece, and returns when the connection has taken it. Throws `SocketFailure`.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await connection.sendPiece(bytes, isChunked: isChunked)
    }
}
