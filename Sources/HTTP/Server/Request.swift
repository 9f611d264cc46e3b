import Net

/// A request as a handler sees it. A class, so that it is handed on as one reference.
public final class Request {
    /// Request line and header fields.
    public let head: RequestHead
    /// The content, read when it is asked for.
    public let body: RequestBody
    /// The other side's address, which may be a proxy's; `client` is who asks.
    public let peer: SocketAddress?
    /// What is noted of it; good until the answer is sent.
    public let record: RequestRecord
    /// The proxies to believe, when the other side is one.
    private let proxies: TrustedProxies?

    /// Whether it came over TLS.
    public let isSecure: Bool

    init(
        head: RequestHead,
        body: RequestBody,
        peer: SocketAddress?,
        isSecure: Bool,
        proxies: TrustedProxies?,
        record: RequestRecord
    ) {
        self.isSecure = isSecure
        self.head = head
        self.body = body
        self.peer = peer
        self.proxies = proxies
        self.record = record
    }

    /// Whether a trusted proxy sent it.
    public var isForwarded: Bool { proxies != nil }

    /// The client's address: what trusted proxies say, else the other side's. The port is 0 where a proxy did not say it.
    public var client: SocketAddress? { proxies == nil ? peer : origin.client }

    /// Where the request came from and by which URL, following trusted proxies.
    public var origin: RequestOrigin {
        var origin = RequestOrigin(peer: peer, scheme: isSecure ? "https" : "http", host: head.host)
        if let proxies { origin.follow(head.headers, proxies) }
        return origin
    }
}
