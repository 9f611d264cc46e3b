/// A response as handlers make it.
public struct Response: Sendable {
    /// The status code.
    public var status: Status
    /// Header fields in order. The server adds Date, Content-Length, Transfer-Encoding and Connection.
    public var fields: FieldBlock
    /// The content.
    public var content: ResponseContent
    /// True for a page that people open: it has the server's fields of pages in place of its fixed ones.
    public var isPage = false

    /// Makes a response.
    public init(_ status: Status, fields: FieldBlock = [], content: ResponseContent = .empty) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}

/// The content of a response.
public enum ResponseContent: Sendable {
    /// None.
    case empty
    /// All of it.
    case bytes([UInt8])
    /// Written piece by piece: chunked, or with Content-Length when the length is known. Source and pieces keep
    /// `keepingBytes` in memory. A writer that throws or writes another length aborts the connection.
    indirect case stream(keepingBytes: Int, length: Int? = nil, @Sendable (ResponseStream) async throws -> Void)
    /// None. After the head another protocol uses the connection.
    indirect case upgrade(Upgrade)
}
