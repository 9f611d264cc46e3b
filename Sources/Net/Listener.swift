import CLinux
import Glibc

/// A listening TCP socket that several loops accept from (EPOLLEXCLUSIVE wakes one of them for a connection).
public final class Listener: Sendable {
    /// Where it listens, with the port that the system chose.
    public let address: SocketAddress
    private let descriptor: Int32

    /// Binds and listens. `[::]` takes IPv4 too. Throws `SystemError`, for example `EADDRINUSE`.
    public init(_ address: SocketAddress, backlog: Int32 = 1024) throws(SystemError) {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = try SystemError.check(socket(address.isIPv6 ? AF_INET6 : AF_INET, flags, 0), "socket")
        do throws(SystemError) {
            self.address = try Self.bind(descriptor, address, backlog: backlog)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    deinit { Glibc.close(descriptor) }

    private static func bind(_ descriptor: Int32, _ address: SocketAddress, backlog: Int32) throws(SystemError)
        -> SocketAddress
    {
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.isIPv6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        _ = try SystemError.check(address.withSystemAddress { Glibc.bind(descriptor, $0, $1) }, "bind")
        _ = try SystemError.check(listen(descriptor, backlog), "listen")
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        _ = try SystemError.check(status, "getsockname")
        return SocketAddress(storage) ?? address
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Refuses further connections, those included that nobody has accepted yet. Stop the acceptors first.
    public func close() {
        // The descriptor's number stays taken until the last user is gone.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Hands each connection that this loop accepts to `take`, on the loop's thread, until `Acceptor.stop`.
    /// To be called on the loop.
    public func accept(on loop: EventLoop, _ take: @escaping (Socket) -> Void) throws(SystemError) -> Acceptor {
        let acceptor = Acceptor(listener: self, descriptor: descriptor, loop: loop, take: take)
        try loop.register(descriptor, .sharedRead, acceptor)
        return acceptor
    }
}

/// One loop's share in a listener.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
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

    /// Takes no further connection.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        loop.unregister(descriptor)
    }

    /// Called by the loop. One connection a turn, so that a burst spreads over the loops.
    public func ready(_ readiness: Readiness) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { nv_accept4(descriptor, $0, &length) }
        }
        if accepted >= 0 {
            if let socket = try? Socket(descriptor: accepted, peer: SocketAddress(storage), loop: loop) { take(socket) }
        } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
            pause()
        }
    }

    /// Without descriptors left, accepting again at once would only spin.
    private func pause() {
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
            // Registering needs kernel memory, which may be what was short.
            resumeLater()
        }
    }
}
