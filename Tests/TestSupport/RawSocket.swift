import Glibc

/// A blocking TCP client for tests that choose every byte sent. Every call has a time limit.
///
/// `@unchecked Sendable`: the test uses it from one thread at a time.
package final class RawSocket: ByteStream, @unchecked Sendable {
    private let descriptor: Int32
    private var isOpen = true

    /// Connects to the loopback address, from 127.0.0.`source` if given. `receiveBufferBytes` keeps the kernel's buffer
    /// small for a slow reader.
    package init(
        port: UInt16,
        isIPv6: Bool = false,
        limitMs: Int = Patience.ms(10000),
        receiveBufferBytes: Int32? = nil,
        source: UInt8? = nil
    ) throws {
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw RawSocketError("socket") }
        if var bytes = receiveBufferBytes { set(SOL_SOCKET, SO_RCVBUF, &bytes) }
        setLimit(limitMs)
        var on: Int32 = 1
        set(Int32(IPPROTO_TCP), TCP_NODELAY, &on)
        if let source, !bind4(source) { throw RawSocketError("bind") }
        guard isIPv6 ? connect6(port) : connect4(port) else { throw RawSocketError("connect") }
    }

    /// Connects to a Unix socket.
    package init(unixPath path: String, limitMs: Int = Patience.ms(10000)) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw RawSocketError("socket") }
        setLimit(limitMs)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        guard connect(&address) else { throw RawSocketError("connect") }
    }

    deinit { close() }

    /// Sends all bytes. Throws `RawSocketError`, with EAGAIN if the peer does not read them in time.
    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw RawSocketError("send") }
            sent += count
        }
    }

    /// Sends as many bytes as one call accepts within the time limit, and returns their number. Throws
    /// `RawSocketError`.
    package func sendSome(_ bytes: [UInt8]) throws -> Int {
        let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard count >= 0 || errno == EAGAIN else { throw RawSocketError("send") }
        return max(0, count)
    }

    /// Receives at most `maxBytes`; empty at the end of the stream. Throws `RawSocketError`.
    package func receive(maxBytes: Int) throws -> [UInt8] {
        let bytes = try [UInt8](unsafeUninitializedCapacity: maxBytes) { buffer, count in
            let received = recv(descriptor, buffer.baseAddress, maxBytes, 0)
            guard received >= 0 else { throw RawSocketError("recv") }
            count = received
        }
        return bytes
    }

    /// True if bytes or the end of the stream can be read.
    package var hasInput: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// True if the peer reset the connection.
    package var isBroken: Bool {
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// Closes the sending side.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the connection.
    package func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    /// Closes the connection so that the peer gets a reset.
    package func reset() {
        var value = linger(l_onoff: 1, l_linger: 0)
        set(SOL_SOCKET, SO_LINGER, &value)
        close()
    }
}

extension RawSocket {
    /// Returns when the port refuses connections. A timeout while connecting proves nothing, so it is ignored.
    package static func awaitClosed(port: UInt16) throws {
        try Deadline.wait("a closed port", seconds: 60) {
            do {
                try RawSocket(port: port, limitMs: 500).close()
            } catch let error as RawSocketError {
                return error.description == "connect: Connection refused"
            }
            return false
        }
    }
}

extension RawSocket {
    private func setLimit(_ limitMs: Int) {
        var limit = timeval(tv_sec: limitMs / 1000, tv_usec: limitMs % 1000 * 1000)
        set(SOL_SOCKET, SO_RCVTIMEO, &limit)
        set(SOL_SOCKET, SO_SNDTIMEO, &limit)
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: inout Value) {
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }

    private func connect4(_ port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return connect(&address)
    }

    private func bind4(_ source: UInt8) -> Bool {
        // Otherwise each connection would use up one of the ports shared by all addresses.
        var on: Int32 = 1
        set(Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &on)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (UInt32(0x7f00_0000) | UInt32(source)).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private func connect6(_ port: UInt16) -> Bool {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return connect(&address)
    }

    private func connect<Address>(_ address: inout Address) -> Bool {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
    }
}

/// A failed call of `RawSocket`.
package struct RawSocketError: Error, Equatable, CustomStringConvertible {
    /// The failed system call.
    package let call: String
    /// The errno(3) value; EAGAIN means that the time limit passed.
    package let code: Int32

    init(_ call: String) {
        self.call = call
        code = errno
    }

    /// Text such as "recv: Connection reset by peer".
    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
