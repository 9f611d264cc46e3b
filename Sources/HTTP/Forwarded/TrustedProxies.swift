import Net

/// Whose word about the client is believed.
public struct TrustedProxies: Sendable, Hashable {
    /// The header fields in which the proxies speak. The other kind is ignored: a proxy that does not set it passes on what
    /// the client wrote there.
    public enum Fields: String, Sendable, CaseIterable {
        /// X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host.
        case xForwarded = "x-forwarded"
        /// Forwarded (RFC 7239).
        case forwarded
    }

    /// What they write.
    public var fields = Fields.xForwarded
    private var networks: [IPNetwork] = []
    private var includesUnix = false

    /// Nobody's.
    public init() {}

    /// Takes addresses, networks such as `10.0.0.0/8`, and `unix` for a Unix socket's other end, separated by commas;
    /// nil for anything else.
    public init?(_ text: String) {
        for word in text.split(separator: ",") {
            let word = String(word.filter { $0 != " " && $0 != "\t" })
            if word == "unix" {
                includesUnix = true
            } else if let network = IPNetwork(word) {
                networks.append(network)
            } else {
                return nil
            }
        }
    }

    /// Whether nobody is trusted.
    public var isEmpty: Bool { networks.isEmpty && !includesUnix }

    /// Whether that address is a proxy's.
    public func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Whether the other end of a connection is a proxy; nil is a Unix socket's.
    public func contains(peer: SocketAddress?) -> Bool {
        guard let peer else { return includesUnix }
        return IPAddress(peer.host).map(contains) ?? false
    }
}
