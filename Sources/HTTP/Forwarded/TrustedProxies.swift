import Net

/// The proxies that are trusted to report the client.
public struct TrustedProxies: Sendable, Hashable {
    /// The header fields that the proxies set. The other kind is ignored: a proxy that does not
    /// set it forwards the client's own value.
    public enum Fields: String, Sendable, CaseIterable {
        /// X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host.
        case xForwarded = "x-forwarded"
        /// Forwarded (RFC 7239).
        case forwarded
    }

    /// The fields that they set.
    public var fields = Fields.xForwarded
    private var networks: [IPNetwork] = []
    private var includesUnix = false

    /// Trusts no proxy.
    public init() {}

    /// Accepts addresses, networks such as `10.0.0.0/8`, `unix` for the peer of a Unix socket, and `forwarded` if they
    /// set that field, separated by commas; nil for anything else.
    public init?(_ text: String) {
        for word in text.split(separator: ",") {
            let word = String(word.filter { $0 != " " && $0 != "\t" })
            if word == "unix" {
                includesUnix = true
            } else if word == Fields.forwarded.rawValue {
                fields = .forwarded
            } else if let network = IPNetwork(word) {
                networks.append(network)
            } else {
                return nil
            }
        }
        // The field of nobody.
        if isEmpty, fields == .forwarded { return nil }
    }

    /// True if no proxy is trusted.
    public var isEmpty: Bool { networks.isEmpty && !includesUnix }

    /// Returns true if the address is a proxy's.
    public func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Returns true if the peer of a connection is a proxy; nil is the peer of a Unix socket.
    public func contains(peer: SocketAddress?) -> Bool {
        guard let peer else { return includesUnix }
        return IPAddress(peer.host).map(contains) ?? false
    }
}
