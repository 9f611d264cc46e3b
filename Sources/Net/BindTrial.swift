import Glibc

/// Checks if an address can be bound, without listening. No client is ever connected.
public enum BindTrial {
    /// Throws the `SystemError` that a listener would throw, for example `EADDRINUSE`.
    public static func run(_ address: SocketAddress) throws(SystemError) {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = try SystemError.check(socket(address.isIPv6 ? AF_INET6 : AF_INET, flags, 0), "socket")
        defer { Glibc.close(descriptor) }
        var on: Int32 = 1
        // Closed connections in TIME_WAIT don't count, as with a listener.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = try SystemError.check(address.withSystemAddress { Glibc.bind(descriptor, $0, $1) }, "bind")
    }
}
