import Net

/// A connection that another protocol uses after a 101. It counts in the connection limits until its handler
/// returns, which closes it. A server that stops cuts it off at the drain's deadline. All other limits are
/// the handler's: it sets each deadline.
public final class UpgradedConnection {
    private let socket: Socket
    /// Bytes that were read with the request's head.
    private var received: [UInt8]
    private var turn = StreamTurn()

    init(_ socket: Socket, received: [UInt8]) {
        self.socket = socket
        self.received = received
    }

    /// The loop of the connection.
    public var loop: EventLoop { socket.loop }

    /// The next bytes, at most 64 KiB, starting after the request's head; empty at the end of the stream. Throws
    /// `SocketFailure`, `.timedOut` at `deadlineMs` (on the loop's clock).
    public func read(deadlineMs: UInt64) async throws(SocketFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &received)
        if bytes.isEmpty {
            _ = try await socket.read(into: &bytes, deadlineMs: deadlineMs)
            if turn.isOver(after: bytes.count) { await loop.yield() }
        }
        return bytes
    }

    /// Writes all of `bytes`. Throws `SocketFailure`, `.timedOut` when the peer does not accept them by `deadlineMs`.
    public func write(_ bytes: [UInt8], deadlineMs: UInt64) async throws(SocketFailure) {
        try await socket.write(bytes, deadlineMs: deadlineMs)
    }

    /// Closes the connection before the handler returns. A task that waits on it gets `.closed`.
    public func close() { socket.close() }
}

/// The handler of a connection after a 101. Made by `Request.upgrade`.
public struct Upgrade: Sendable {
    let run: @Sendable (UpgradedConnection) async -> Void
}

extension Request {
    /// A 101; after it `run` owns the connection. Nil unless the request is a GET
    /// without content that offers this protocol.
    public func upgrade(
        to name: String,
        fields: FieldBlock = [],
        _ run: @escaping @Sendable (UpgradedConnection) async -> Void
    ) -> Response? {
        let hasContent = head.bodyLength != .none && head.bodyLength != .length(0)
        guard head.method == .get, !hasContent, head.asksToUpgrade(to: name) else { return nil }
        var all: FieldBlock = [("Upgrade", name)]
        all.append(fields)
        return Response(.switchingProtocols, fields: all, content: .upgrade(Upgrade(run: run)))
    }
}

extension Connection {
    // Not inlined: it would enlarge the frame of every connection's task.
    @inline(never)
    func handOver(_ upgrade: Upgrade) async {
        phase = .upgraded
        await upgrade.run(UpgradedConnection(socket, received: parser.takeInput()))
    }
}
