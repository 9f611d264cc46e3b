import Net
import Tracing

/// A request as handlers get it. A class, so that it is passed as one reference.
public final class Request {
    /// Request line and header fields.
    public let head: RequestHead
    /// The content, read on demand.
    public let body: RequestBody
    /// The address of the peer, which may be a proxy; `client` is the client's address.
    public let peer: SocketAddress?
    /// The record of the request; valid until the response is sent.
    public let record: RequestRecord
    /// The trusted proxies, if the peer is one.
    private let proxies: TrustedProxies?

    /// True if it was received over TLS.
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

    /// True if a trusted proxy sent it.
    public var isForwarded: Bool { proxies != nil }

    /// The client's address, as reported by trusted proxies, else the peer's. The
    /// port is 0 if a proxy did not report it.
    public var client: SocketAddress? { proxies == nil ? peer : origin.client }

    /// The origin of the request and its URL, following trusted proxies.
    public var origin: RequestOrigin {
        var origin = RequestOrigin(peer: peer, scheme: isSecure ? "https" : "http", host: head.host)
        if let proxies { origin.follow(head.headers, proxies) }
        return origin
    }
}
