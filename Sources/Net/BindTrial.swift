import Glibc

/// Finds out whether an address can be listened on, without listening: nobody is ever connected to it.
public enum BindTrial {
    /// Throws `SystemError` with what a listener would fail with, for example `EADDRINUSE`.
    public static func run(_ address: SocketAddress) throws(SystemError) {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = try SystemError.check(socket(address.isIPv6 ? AF_INET6 : AF_INET, flags, 0), "socket")
        defer { Glibc.close(descriptor) }
        var on: Int32 = 1
        // What is left of closed connections doesn't count, as it doesn't for a listener.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = try SystemError.check(address.withSystemAddress { Glibc.bind(descriptor, $0, $1) }, "bind")
    }
}
