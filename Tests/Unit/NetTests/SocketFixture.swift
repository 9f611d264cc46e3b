import Net
import TestSupport

/// Listens on the loopback address while `client` runs on a thread of its own. Passes each connection to `serve` on its
/// loop. Waits until all connections have been served.
func withListener<T: Sendable>(
    _ host: String = "127.0.0.1",
    loops count: Int = 1,
    serve: @escaping @Sendable (Socket) async throws -> Void,
    client: @escaping @Sendable (UInt16) throws -> T
) async throws -> T {
    guard let address = SocketAddress(host: host, port: 0) else { throw TestSupportError("no address") }
    return try await withLoops(count) { loops in
        let listener = try Listener(address)
        let served = Served()
        var acceptors: [Acceptor] = []
        for loop in loops {
            acceptors.append(
                try await onLoop(loop) {
                    try listener.accept(on: loop) { socket in
                        served.begin()
                        loop.spawn {
                            do { try await serve(socket) } catch { served.note(error) }
                            socket.close()
                            served.end()
                        }
                    }
                }
            )
        }
        let result = try await onThread { Result { try client(listener.address.port) } }
        try await eventually { served.isDone }
        for (loop, acceptor) in zip(loops, acceptors) { try await onLoop(loop) { acceptor.stop() } }
        if let failure = served.failure { throw failure }
        return try result.get()
    }
}

/// Sends all received bytes back, until the peer has no more.
@Sendable func echo(_ socket: Socket) async throws {
    var bytes: [UInt8] = []
    while try await socket.read(into: &bytes) > 0 {
        try await socket.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The failure of a call on a socket; nil if it succeeded.
func failure(_ body: () async throws(SocketFailure) -> Void) async -> SocketFailure? {
    do throws(SocketFailure) {
        try await body()
        return nil
    } catch {
        return error
    }
}
