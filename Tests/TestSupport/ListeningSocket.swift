import Glibc

/// A listening socket on 127.0.0.1, like one that a service manager keeps open across server restarts.
package final class ListeningSocket: Sendable {
    /// The socket's descriptor.
    package let descriptor: Int32
    /// The port chosen by the kernel.
    package let port: UInt16

    /// Listens without accepting connections, on a free port, or on one that a server has just left.
    package init(port wanted: UInt16 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = wanted.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, size) = (descriptor, length)
        // Connections of that server may linger.
        var reuses: Int32 = wanted == 0 ? 0 : 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(descriptor, name, size) | listen(descriptor, 1024) | getsockname(descriptor, name, &length)
            }
        }
        guard descriptor >= 0, status == 0 else { throw RawSocketError("listen") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// A duplicate of the descriptor for the next server.
    package func duplicate() -> Int32 { dup(descriptor) }

    /// Accepts and closes one waiting connection. Returns false if there is none.
    package func takesConnection() -> Bool {
        let accepted = accept(descriptor, nil, nil)
        if accepted >= 0 { close(accepted) }
        return accepted >= 0
    }
}
