import Glibc

/// An IP address and a port to listen on. Port 0 lets the kernel choose.
struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// The address as it was written, without the brackets of IPv6.
    let host: String
    let port: UInt16
    let isIPv6: Bool

    /// `127.0.0.1:8080`, `[::1]:8080`: what a URL's authority looks like.
    var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// True for `0.0.0.0` and every spelling of `::`.
    var isEveryAddress: Bool { host.allSatisfy { $0 == "0" || $0 == ":" || $0 == "." } }

    static let allowed = "an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080"

    init(host: String, port: UInt16, isIPv6: Bool = false) {
        self.host = host
        self.port = port
        self.isIPv6 = isIPv6
    }

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
        let bare = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
        guard Self.isAddress(bare, family: isBracketed ? AF_INET6 : AF_INET) else { return nil }
        self.init(host: bare, port: port, isIPv6: isBracketed)
    }

    /// The same address with the port that the kernel chose.
    func with(port: UInt16) -> ListenAddress {
        ListenAddress(host: host, port: port, isIPv6: isIPv6)
    }

    /// True when both cannot be bound by one process: the same port, and one address includes the other.
    func collides(with other: ListenAddress) -> Bool {
        guard port == other.port, port != 0 else { return false }
        return isEveryAddress || other.isEveryAddress || (host == other.host && isIPv6 == other.isIPv6)
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
