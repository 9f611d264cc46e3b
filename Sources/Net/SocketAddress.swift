import CLinux
import Glibc

/// An IPv4 or IPv6 address with a port.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The numeric host, IPv6 without brackets.
    public let host: String
    /// The port; 0 lets the system choose.
    public let port: UInt16
    /// True if `host` is an IPv6 address.
    public var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

    /// Takes a numeric address; nil if `host` is not one.
    public init?(host: String, port: UInt16) {
        var buffer = in6_addr()
        let family = host.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
        guard inet_pton(family, host, &buffer) == 1 else { return nil }
        self.host = host
        self.port = port
    }

    /// Parses `127.0.0.1:8080` or `[::1]:8080`.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let first = text[colon...].dropFirst().first, first.isNumber,
            let port = UInt16(text[colon...].dropFirst())
        else { return nil }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard host.utf8.contains(UInt8(ascii: ":")) else { return nil }
            self.init(host: String(host.dropFirst().dropLast()), port: port)
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            return nil
        } else {
            self.init(host: String(host), port: port)
        }
    }

    /// `127.0.0.1:8080` or `[::1]:8080`.
    public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension SocketAddress {
    /// Calls `body` with the address in the system's form.
    func withSystemAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return Self.rebind(&address, body)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return Self.rebind(&address, body)
    }

    private static func rebind<Address, R>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// Reads an address from the system; nil for another family.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let port: UInt16
        switch Int32(storage.ss_family) {
        case AF_INET:
            port = withUnsafeBytes(of: &storage) { raw in
                let address = raw.loadUnaligned(as: sockaddr_in.self)
                var bytes = address.sin_addr
                inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
                return UInt16(bigEndian: address.sin_port)
            }
        case AF_INET6:
            port = withUnsafeBytes(of: &storage) { raw in
                let address = raw.loadUnaligned(as: sockaddr_in6.self)
                var bytes = address.sin6_addr
                inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
                return UInt16(bigEndian: address.sin6_port)
            }
        default: return nil
        }
        host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.port = port
    }
}
