/// How the content of a request is delimited (RFC 9112, section 6.3).
public enum BodyLength: Sendable, Hashable {
    /// Neither Content-Length nor Transfer-Encoding: no content.
    case none
    /// Content-Length, in bytes; may be 0.
    case length(Int)
    /// Transfer-Encoding: chunked; the size is known only at the end.
    case chunked
}
