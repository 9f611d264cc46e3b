import Net

/// Where a request came from and which URL its client used, as far as that is known.
public struct RequestOrigin: Sendable, Equatable {
    /// The client's address; nil behind a Unix socket. The port is 0 when a proxy did not say it.
    public var client: SocketAddress?
    /// `http` or `https`.
    public var scheme: String
    /// Host and port as the client wrote them; nil only in HTTP/1.0.
    public var host: String?

    /// What the connection itself says.
    init(peer: SocketAddress?, scheme: String, host: String?) {
        client = peer
        self.scheme = scheme
        self.host = host
    }

    /// Follows the proxies' words from the nearest on: the first address that is no proxy's is the client's, and what stands
    /// to its left is only what the client claims. Malformed words are as good as none.
    mutating func follow(_ headers: Headers, _ trusted: TrustedProxies) {
        let elements =
            switch trusted.fields {
            case .xForwarded: ForwardedElement.xForwarded(headers)
            case .forwarded: ForwardedParser.elements(headers) ?? []
            }
        for element in elements.reversed() {
            // From here on nobody knows who wrote the rest.
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
