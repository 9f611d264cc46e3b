/// Limits of a server. Beyond each the client gets a response, or the connection is closed.
public struct ServerLimits: Sendable, Equatable {
    /// Limits of request lines and header fields.
    public var wire = WireLimits()

    /// From a request's first byte to the end of its head, and from a connection's start to its first byte: 408.
    public var headerTimeoutMs: UInt64 = 10_000
    /// Between requests.
    public var idleTimeoutMs: UInt64 = 75_000
    /// The time after a response in which a connection keeps the memory of its task, to serve the next request at once.
    public var restAfterMs: UInt64 = 100
    /// From the end of the head to the end of the content: 408.
    public var bodyTimeoutMs: UInt64 = 240_000
    /// The slowest body. It may pause or fall behind for one header timeout: 408. Bytes that were
    /// sent fast before save up no silence.
    public var bodyMinBytesPerSecond = 1024
    /// From a request's first byte to the last byte of its response. 408 while the request is being received,
    /// 503 while the handler works; a response that is being sent is cut off. With a `MinimumRate`, neither
    /// this nor `bodyTimeoutMs` and `transferTimeoutMs` limit the total. Then it is the longest time in which
    /// the handler neither reads nor writes.
    public var requestTimeoutMs: UInt64 = 300_000
    /// Writing `transferMaxBytes` of a response.
    public var transferTimeoutMs: UInt64 = 30_000
    /// The bytes of a response with one deadline. A larger response is written in pieces of this size.
    public var transferMaxBytes = 256 << 10

    /// Connections at a time. A further one takes the place of the longest idle connection of the largest holder; it
    /// gets 503 and is closed if no holder as large as its own has an idle one. Sites (IPv4 addresses, /48 of
    /// IPv6) are compared first, then their /64s.
    public var connectionsMax = 10_000
    /// The wait of a further connection for a place.
    public var placeWaitMs: UInt64 = 1000
    /// Connections on each loop that wait for a place. A further one takes the wait of a larger holder, or is refused.
    public static let waitingMax = 64
    /// Connections on each loop that are getting a refusal; a further one is only closed.
    public static let refusingMax = 64
    /// Connections of one IPv4 address or one IPv6 /64 at a time; a further one gets 429 and is
    /// closed. Proxies may have any number.
    public var connectionsPerAddressMax = 1_000
    /// Proxies may have any number of connections, and report the real clients of requests.
    public var trustedProxies = TrustedProxies()

    /// Bytes of further requests that may wait on a connection behind the current one; the rest stays with the client.
    public var pipelineMaxBytes = 16_384
    /// Request bodies and large responses of all connections together. At the limit, requests of the
    /// largest holders are ended, the most silent first, and requests without room get 503. A holder with more than a
    /// quarter gets nothing of the last quarter. Larger pieces of fast bodies may use a quarter.
    public var buffersMaxBytes = 64 << 20
    /// A request whose client is silent for so long gives its memory to any other.
    public var silenceMs: UInt64 = 1000
    /// Retry-After of requests without room, at least.
    public static let retrySeconds = 2
    /// After one of its requests was ended for another holder: the time in which requests of this holder that need more
    /// than `discardMaxBytes` get 503. Otherwise they would take their place again.
    public var cutOffPauseMs = UInt64(ServerLimits.retrySeconds) * 1000
    /// Bytes of an unwanted body that are read and discarded, so that the connection can continue.
    public var discardMaxBytes = 65_536

    /// After a last response: the time in which further input is read, so that the
    /// client sees the response and no reset.
    public var closeTimeoutMs: UInt64 = 2_000
    /// The same for requests with a `MinimumRate`: their clients are in the middle of sending.
    public var streamCloseTimeoutMs: UInt64 = 5_000
    /// The most bytes that are read during `closeTimeoutMs`.
    public var closeDiscardMaxBytes = 16 << 20
    /// When the server stops: the time for a new connection's first request.
    public var firstRequestGraceMs: UInt64 = 500
    /// When the server stops: the time after a response in which the next request is still accepted. Otherwise the next
    /// request of an active client would find its connection closed.
    public var nextRequestGraceMs: UInt64 = 250
    /// When the server stops: the time for handshakes in progress.
    public var handshakeGraceMs: UInt64 = 250

    /// The rate of `bodyMinBytesPerSecond`.
    var bodyRate: MinimumRate { MinimumRate(bytesPerSecond: max(1, bodyMinBytesPerSecond), graceMs: headerTimeoutMs) }

    /// The defaults.
    public init() {}
}
