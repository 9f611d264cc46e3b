import Net

/// The origin of a request and the URL that its client used, as far as known.
public struct RequestOrigin: Sendable, Equatable {
    /// The client's address; nil behind a Unix socket. The port is 0 when a proxy did not report it.
    public var client: SocketAddress?
    /// `http` or `https`.
    public var scheme: String
    /// Host and port as the client wrote them; nil only in HTTP/1.0.
    public var host: String?

    /// The origin by the connection alone.
    init(peer: SocketAddress?, scheme: String, host: String?) {
        client = peer
        self.scheme = scheme
        self.host = host
    }

    /// Follows the proxies' elements from the nearest on. The first address that is no proxy's is the client's;
    /// elements to its left are only claims of the client. Malformed elements are ignored.
    mutating func follow(_ headers: Headers, _ trusted: TrustedProxies) {
        let elements =
            switch trusted.fields {
            case .xForwarded: ForwardedElement.xForwarded(headers)
            case .forwarded: ForwardedParser.elements(headers)
            }
        for element in elements.reversed() {
            // From here on the authors of the other elements are unknown.
            guard let hop = element.client, let address = IPAddress(hop.host) else { return take(element) }
            client = hop
            take(element)
            guard trusted.contains(address) else { return }
        }
    }

    private mutating func take(_ element: ForwardedElement) {
        scheme = element.scheme ?? scheme
        host = element.host ?? host
    }
}
