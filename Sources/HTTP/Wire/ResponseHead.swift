/// A status and the header fields that the server's code chose. Framing, Connection and Date are the encoder's.
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

/// How the server means to send content.
public enum ResponseFraming: Sendable, Hashable {
    /// There is no content.
    case none
    /// So many bytes; also what a HEAD or 304 says about the content that it leaves out.
    case length(Int)
    /// A length that isn't known yet.
    case chunked
}

/// What is to be written after the head.
public enum ResponseBody: Sendable, Hashable {
    /// Nothing, whatever content there is.
    case nothing
    /// Exactly so many bytes.
    case sized(Int)
    /// Chunks by `ChunkedEncoder`, and its last one.
    case chunked
    /// Plain bytes; the end of the connection ends them, so it must be closed afterwards.
    case untilClose
}
