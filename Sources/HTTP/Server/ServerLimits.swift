/// Bounds of a server; each has its answer or closes the connection.
public struct ServerLimits: Sendable {
    /// Bounds of request lines and header fields.
    public var wire = WireLimits()

    /// From a request's first byte to the end of its head, and from a connection's begin to its first byte: 408.
    public var headerTimeoutMs: UInt64 = 10_000
    /// Between requests.
    public var idleTimeoutMs: UInt64 = 75_000
    /// How long after an answer a connection keeps the memory of its task, so that the next request finds it ready.
    public var restAfterMs: UInt64 = 100
    /// From the end of the head to the end of the content: 408.
    public var bodyTimeoutMs: UInt64 = 240_000
    /// A body may be as slow as this, and pause or fall behind for one header timeout: 408. What was sent fast before saves up no silence.
    public var bodyMinBytesPerSecond = 1024
    /// From a request's first byte to the last byte of its answer: 408 while the request is being received, 503 while the handler
    /// works; an answer on its way is cut off. With a `MinimumRate` neither this nor `bodyTimeoutMs` and `transferTimeoutMs` limit the
    /// total: then it is the longest time in which the handler neither reads nor writes.
    public var requestTimeoutMs: UInt64 = 300_000
    /// Writing `transferMaxBytes` of an answer.
    public var transferTimeoutMs: UInt64 = 30_000
    /// How much of an answer has one deadline. A larger one is written in pieces of this size.
    public var transferMaxBytes = 256 << 10

    /// Connections at a time; a further one is answered 503 and closed.
    public var connectionsMax = 10_000
    /// Connections on each loop that are being told why they are refused; beyond so many a further one is only closed.
    public static let refusingMax = 64
    /// Connections of one IPv4 address or one IPv6 /64 at a time; a further one is answered 429 and closed. Proxies may have any
    /// number.
    public var connectionsPerAddressMax = 1_000
    /// Who may have any number of connections and says where requests really come from.
    public var trustedProxies = TrustedProxies()

    /// What may wait on a connection of the requests behind the one being answered; the rest stays with the client.
    public var pipelineMaxBytes = 16_384
    /// Request bodies and large answers of all connections together. While there is as much, the requests of who holds the most
    /// are ended, the most silent first, and those that find no room get 503. Larger pieces of fast bodies may use a quarter.
    public var buffersMaxBytes = 64 << 20
    /// What is read and thrown away of a body that the handler did not want, so that the connection can go on.
    public var discardMaxBytes = 65_536

    /// After a last answer: how long, and how much of what still comes, is read so that the client sees the answer and
    /// no reset.
    public var closeTimeoutMs: UInt64 = 2_000
    /// The same for requests with a `MinimumRate`, whose clients are in the middle of sending.
    public var streamCloseTimeoutMs: UInt64 = 5_000
    /// See `closeTimeoutMs`.
    public var closeDiscardMaxBytes = 16 << 20
    /// When the server stops: how long a new connection has for its first request.
    public var firstRequestGraceMs: UInt64 = 500
    /// When the server stops: how long after an answer the next request is still taken. A client that is at work would
    /// otherwise find its connection closed under its request.
    public var nextRequestGraceMs: UInt64 = 250
    /// When the server stops: how long handshakes under way have to end.
    public var handshakeGraceMs: UInt64 = 250

    /// The rate of `bodyMinBytesPerSecond`.
    var bodyRate: MinimumRate { MinimumRate(bytesPerSecond: max(1, bodyMinBytesPerSecond), graceMs: headerTimeoutMs) }

    /// The defaults.
    public init() {}
}
