/// A status and the header fields chosen by the server's code. The encoder adds framing, Connection and Date.
public struct ResponseHead: Sendable {
    /// The status.
    public var status: Status
    /// The fields in the order they are sent.
    public var fields: FieldBlock

    /// A head with these fields.
    public init(status: Status, fields: FieldBlock = []) {
        self.status = status
        self.fields = fields
    }
}

/// The framing that the server chose for the content.
public enum ResponseFraming: Sendable, Hashable {
    /// There is no content.
    case none
    /// This number of bytes; also the length of the content that HEAD or 304 leaves out.
    case length(Int)
    /// The length is not known yet.
    case chunked
}

/// The form of the content after the head.
public enum ResponseBody: Sendable, Hashable {
    /// Nothing, even if there is content.
    case nothing
    /// Exactly this number of bytes.
    case sized(Int)
    /// Chunks by `ChunkedEncoder`, and its last one.
    case chunked
    /// Plain bytes until the end of the connection, which must be closed after them.
    case untilClose
}
