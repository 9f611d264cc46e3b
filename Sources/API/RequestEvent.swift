import Net

/// What became of one request, for the log. Holds no secret: neither header fields nor query nor body.
public struct RequestEvent: Sendable {
    /// Also in the answer's X-Request-Id.
    public let id: String
    /// The method's name.
    public let method: String
    /// The path, without the query.
    public let path: String
    /// The answer's status code.
    public let status: Int
    /// The answer's content length in bytes; nil for a streamed one.
    public let bytes: Int?
    /// From the complete head to the complete answer, in microseconds.
    public let durationUs: UInt64
    /// The problem type of an error.
    public let problem: String?
    /// What an operator should know about a failure; never shown to clients.
    public let failure: String?
    /// The client's address, as trusted proxies say. The port is 0 when they did not say it.
    public let peer: SocketAddress?
}
