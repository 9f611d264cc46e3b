import Glibc
import Net

/// A listening address, as written in a setting.
package enum ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// An IP address without the brackets of IPv6, and a port. Port 0 lets the kernel choose.
    case network(host: String, port: UInt16, isIPv6: Bool)
    /// A Unix socket, by its absolute path.
    case unix(path: String)
    /// No listener.
    case off

    /// `127.0.0.1:8080`, `[::1]:8080` (a URL's authority), `unix:/run/server.sock` or `off`.
    package var description: String {
        switch self {
        case .network(let host, let port, let isIPv6): isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:" + path
        case .off: "off"
        }
    }

    package static let allowed =
        "an IP address and a port (127.0.0.1:8080, [::1]:8080) or unix: and a path of at most \(UnixAddress.pathMaxBytes) bytes"

    init(host: String, port: UInt16, isIPv6: Bool = false) {
        self = .network(host: host, port: port, isIPv6: isIPv6)
    }

    init?(_ text: String) {
        guard text.hasPrefix("unix:") else {
            self.init(network: text)
            return
        }
        let path = String(text.dropFirst(5))
        guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0),
            path.utf8.count <= UnixAddress.pathMaxBytes
        else { return nil }
        self = .unix(path: path)
    }

    /// Parses the output of `description`. Nil for anything else.
    package init?(orOff text: String) {
        guard text != "off" else {
            self = .off
            return
        }
        self.init(text)
    }

    private init?(network text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
        let bare = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
        guard Self.isAddress(bare, family: isBracketed ? AF_INET6 : AF_INET) else { return nil }
        self.init(host: bare, port: port, isIPv6: isBracketed)
    }

    /// The address of a listener.
    package init(_ endpoint: Endpoint) {
        switch endpoint {
        case .network(let address): self.init(host: address.host, port: address.port, isIPv6: address.isIPv6)
        case .unix(let path): self = .unix(path: path)
        }
    }

    private static func port(_ digits: Substring) -> UInt16? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return UInt16(digits)
    }

    private static func isAddress(_ text: String, family: Int32) -> Bool {
        var parsed = in6_addr()
        return inet_pton(family, text, &parsed) == 1
    }
}

extension ListenAddress {
    /// True if only this machine can reach the address.
    package var isLocal: Bool {
        guard case .network(let host, _, _) = self else { return true }
        return host.hasPrefix("127.") || host == "::1"
    }

    /// The same address with the port that the kernel chose.
    package func with(port: UInt16) -> ListenAddress {
        guard case .network(let host, _, let isIPv6) = self else { return self }
        return ListenAddress(host: host, port: port, isIPv6: isIPv6)
    }

    /// The authority for clients on this machine; nil for addresses without a URL.
    package var authority: String? {
        guard case .network(let host, let port, let isIPv6) = self else { return nil }
        guard Self.isEveryAddress(host) else { return description }
        return isIPv6 ? "[::1]:\(port)" : "127.0.0.1:\(port)"
    }

    /// Returns "path" or "port" if one process cannot bind both addresses because of it. Two addresses collide too if
    /// one includes the other.
    func collision(with other: ListenAddress) -> String? {
        switch (self, other) {
        case (.unix(let path), .unix(let otherPath)): return path == otherPath ? "path" : nil
        case (.network(let host, let port, let isIPv6), .network(let otherHost, let otherPort, let otherIsIPv6)):
            guard port == otherPort, port != 0 else { return nil }
            let isSame = host == otherHost && isIPv6 == otherIsIPv6
            return isSame || Self.isEveryAddress(host) || Self.isEveryAddress(otherHost) ? "port" : nil
        default: return nil
        }
    }

    /// True for `0.0.0.0` and every spelling of `::`.
    private static func isEveryAddress(_ host: String) -> Bool {
        host.allSatisfy { $0 == "0" || $0 == ":" || $0 == "." }
    }
}
