import CLinux
import Glibc

/// A listening stream socket for several loops (EPOLLEXCLUSIVE wakes one of them per connection).
public final class Listener: Sendable {
    /// The listening address, with the port that the system chose.
    public let address: Endpoint
    /// True if another process has the same socket: a service manager, and through it the next server.
    public let isShared: Bool
    let descriptor: Int32
    private let file: UnixSocketFile?

    private static let flags =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// Binds and listens. `[::]` accepts IPv4 too. Throws `SystemError`, for example `EADDRINUSE`.
    public init(_ address: SocketAddress, backlog: Int32 = 1024) throws(SystemError) {
        let descriptor = try SystemError.check(socket(address.isIPv6 ? AF_INET6 : AF_INET, Self.flags, 0), "socket")
        do throws(SystemError) {
            self.address = try Self.bind(descriptor, address, backlog: backlog)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        isShared = false
        file = nil
    }

    /// Listens on a Unix socket with this file mode. Replaces a dead socket. Throws `SystemError`: `EADDRINUSE` for a
    /// live socket, `EEXIST` if the path is not a socket.
    public init(unixPath path: String, mode: UInt32 = 0o660, backlog: Int32 = 1024) throws(SystemError) {
        let descriptor = try SystemError.check(socket(AF_UNIX, Self.flags, 0), "socket")
        do throws(SystemError) {
            file = try UnixSocketFile(binding: descriptor, to: path, mode: mode, backlog: backlog)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        address = .unix(path: path)
        isShared = false
    }

    /// Uses a socket that another process opened and shares. Throws `SystemError`: `EBADF` or `ENOTSOCK` if the number
    /// is not a socket, `EINVAL` if it is not a listening stream socket.
    public init(inherited descriptor: Int32) throws(SystemError) {
        guard try Self.option(descriptor, SO_ACCEPTCONN) == 1,
            try Self.option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
        else { throw SystemError(call: "listen", code: EINVAL) }
        address = try Self.name(descriptor)
        _ = try SystemError.check(fcntl(descriptor, F_SETFD, FD_CLOEXEC), "fcntl")
        _ = try SystemError.check(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK), "fcntl")
        self.descriptor = descriptor
        isShared = true
        file = nil
    }

    deinit { Glibc.close(descriptor) }

    private static func bind(_ descriptor: Int32, _ address: SocketAddress, backlog: Int32) throws(SystemError)
        -> Endpoint
    {
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.isIPv6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        _ = try SystemError.check(address.withSystemAddress { Glibc.bind(descriptor, $0, $1) }, "bind")
        _ = try SystemError.check(listen(descriptor, backlog), "listen")
        return try name(descriptor)
    }

    private static func name(_ descriptor: Int32) throws(SystemError) -> Endpoint {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        _ = try SystemError.check(status, "getsockname")
        if let address = SocketAddress(storage) { return .network(address) }
        guard let path = UnixAddress.path(storage, length: length) else {
            throw SystemError(call: "getsockname", code: EAFNOSUPPORT)
        }
        return .unix(path: path)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func option(_ descriptor: Int32, _ option: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = try SystemError.check(getsockopt(descriptor, SOL_SOCKET, option, &value, &length), "getsockopt")
        return value
    }

    /// Blocks new connections; those that the system has begun can still be accepted. Does nothing on a shared socket:
    /// new connections are for the other process.
    public func stopInviting() {
        guard !isShared else { return }
        // Without this, a handshake that ends between the last accept and `close` is reset. That is a matter of
        // microseconds.
        if file == nil { _ = nv_refuse_handshakes(descriptor) }
        file?.remove()
    }

    /// Refuses further connections and those not accepted yet. On a shared socket they wait for the other process. Stop
    /// the acceptors first.
    public func close() {
        guard !isShared else { return }
        file?.remove()
        // The descriptor's number stays in use until the last user releases this object.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Passes each connection that this loop accepts to `take`, on the loop's thread, until `Acceptor.stop`. Call it on
    /// the loop.
    public func accept(on loop: EventLoop, _ take: @escaping (Socket) -> Void) throws(SystemError) -> Acceptor {
        let acceptor = Acceptor(listener: self, descriptor: descriptor, loop: loop, take: take)
        try loop.register(descriptor, .sharedRead, acceptor)
        return acceptor
    }
}

/// The part of a listener on one loop.
///
/// `@unchecked Sendable`: used only on its loop's thread.
public final class Acceptor: EventHandler, @unchecked Sendable {
    private static let pauseMs: UInt64 = 100
    private let listener: Listener
    private let descriptor: Int32
    private let loop: EventLoop
    private let take: (Socket) -> Void
    private var isStopped = false

    init(listener: Listener, descriptor: Int32, loop: EventLoop, take: @escaping (Socket) -> Void) {
        self.listener = listener
        self.descriptor = descriptor
        self.loop = loop
        self.take = take
    }

    /// Accepts no further connections.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        loop.unregister(descriptor)
    }

    /// Called by the loop. Accepts one connection per turn, so a burst spreads over the loops.
    public func ready(_ readiness: Readiness) { acceptOne() }

    /// Accepts connections that arrived before `stop`, at most `maxCount`.
    public func takeRest(maxCount: Int) {
        for _ in 0..<maxCount {
            guard acceptOne() else { return }
        }
    }

    /// Returns false if there is no connection or none can be accepted.
    @discardableResult
    private func acceptOne() -> Bool {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { nv_accept4(descriptor, $0, &length) }
        }
        if accepted >= 0 {
            let socket = try? Socket(descriptor: accepted, peer: SocketAddress(storage), loop: loop, isPatient: true)
            if let socket { take(socket) }
            return true
        }
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause() }
        // The failure of a disconnected client does not affect the next one.
        return [ECONNABORTED, EINTR].contains(errno)
    }

    /// Pauses: without free descriptors, an immediate retry would only spin.
    private func pause() {
        guard !isStopped else { return }
        loop.unregister(descriptor)
        resumeLater()
    }

    private func resumeLater() {
        loop.schedule(LoopTimer { [weak self] in self?.resume() }, atMs: loop.nowMs + Self.pauseMs)
    }

    private func resume() {
        guard !isStopped else { return }
        do {
            try loop.register(descriptor, .sharedRead, self)
        } catch {
            // Registration needs kernel memory, which may still be short.
            resumeLater()
        }
    }
}
