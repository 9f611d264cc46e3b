import Glibc

/// A listening socket on 127.0.0.1, as a service manager keeps it for the servers that it starts one after the other.
public final class ListeningSocket: Sendable {
    /// The kept descriptor.
    public let descriptor: Int32
    /// The port that the kernel chose.
    public let port: UInt16

    /// Listens, and accepts nothing.
    public init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, size) = (descriptor, length)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(descriptor, name, size) | listen(descriptor, 1024) | getsockname(descriptor, name, &length)
            }
        }
        guard descriptor >= 0, status == 0 else { throw RawSocketError("listen") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// What the next server gets.
    public func duplicate() -> Int32 { dup(descriptor) }

    /// Whether a connection waits that nobody has accepted; it is taken and closed.
    public func takesConnection() -> Bool {
        let accepted = accept(descriptor, nil, nil)
        if accepted >= 0 { close(accepted) }
        return accepted >= 0
    }
}
