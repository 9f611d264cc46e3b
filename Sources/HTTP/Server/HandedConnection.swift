import Net

/// A connection that another protocol uses after a 101. It needs no task, and its owner sets all deadlines. It counts in
/// the connection limits until its end. A server that stops cuts it off at the drain's deadline.
///
/// Used on its loop only. The end of the last reference closes it.
public final class HandedConnection {
    private let connection: Connection
    private let client: SocketAddress?
    /// Bytes that were read with the request's head.
    private var received: [UInt8]
    private var isOver = false

    init(_ connection: Connection, of client: SocketAddress?, received: [UInt8]) {
        self.connection = connection
        self.client = client
        self.received = received
        setPatient(false)
    }

    // Where the server itself ends, there may be no loop any more.
    deinit { if loop.isCurrent { close() } }

    /// The loop of the connection.
    public var loop: EventLoop { connection.socket.loop }

    /// Appends the next bytes, starting after the request's head, and returns their number: 0 at the end of the stream,
    /// nil if nothing has arrived. What was read with the head comes at once; after it `maxBytes` holds. Throws
    /// `SocketFailure`.
    public func readNow(
        into buffer: inout [UInt8],
        maxBytes: Int = Socket.readUsualBytes
    ) throws(SocketFailure) -> Int? {
        guard !isOver else { throw .closed }
        guard received.isEmpty else {
            let count = received.count
            buffer += received
            received = []
            return count
        }
        return try connection.socket.readNow(into: &buffer, maxBytes: maxBytes)
    }

    /// Writes as many of `bytes` as the peer takes now, and returns their number. The next call must begin with the
    /// rest: TLS may have encrypted it already. Throws `SocketFailure`.
    public func writeNow(_ bytes: [UInt8]) throws(SocketFailure) -> Int {
        guard !isOver else { throw .closed }
        return try connection.socket.writeNow(bytes)
    }

    /// Calls `wake` once: when bytes arrive, at `deadlineMs` (on the loop's clock), or when the server cuts the
    /// connection off. To be called after `readNow` has returned nil.
    public func whenReadable(deadlineMs: UInt64 = .max, _ wake: @escaping () -> Void) {
        guard !isOver else { return }
        guard received.isEmpty else { return wake() }
        connection.socket.whenReadable(deadlineMs: deadlineMs, wake)
    }

    /// Makes the connection patient, or usual again: `EventLoop.move`.
    public func setPatient(_ wanted: Bool) {
        if !isOver { connection.socket.setPatient(wanted) }
    }

    /// Calls `wake` once: when the peer has taken bytes, or when the server cuts the connection off. To be called
    /// after `writeNow` has written less than all.
    public func whenWritable(_ wake: @escaping () -> Void) {
        if !isOver { connection.socket.whenWritable(wake) }
    }

    /// Counts bytes in the client's share of `ServerLimits.buffersMaxBytes`, until `release` or the end. Returns false
    /// when there is no room.
    public func reserve(_ count: Int) -> Bool { !isOver && connection.reserve(count, of: client) }

    /// Ends the count of so many bytes.
    public func release(_ count: Int) {
        if !isOver { connection.releaseReserved(count) }
    }

    /// Closes the connection. The peer can still read all that was written. No `wake` is called any more.
    public func close() {
        guard end() else { return }
        let connection = connection
        loop.spawn { await connection.leaveGently() }
    }

    /// The same with a reset, which drops what the peer has not taken.
    public func reset() {
        guard end() else { return }
        connection.socket.reset()
        connection.leave()
    }

    /// Returns false if it was called before.
    private func end() -> Bool {
        guard !isOver else { return false }
        isOver = true
        received = []
        connection.socket.forgetWakes()
        connection.release()
        return true
    }
}

/// The owner of a connection after a 101. Made by `Request.upgrade`.
public struct Upgrade: Sendable {
    let take: @Sendable (HandedConnection) -> Void
}

extension Request {
    /// A 101; after it `take` gets the connection, on its loop. It gets none if the 101 can't be sent. Nil unless the
    /// request is a GET without content that offers this protocol.
    public func upgrade(
        to name: String,
        fields: FieldBlock = [],
        _ take: @escaping @Sendable (HandedConnection) -> Void
    ) -> Response? {
        let hasContent = head.bodyLength != .none && head.bodyLength != .length(0)
        guard head.method == .get, !hasContent, head.asksToUpgrade(to: name) else { return nil }
        var all: FieldBlock = [("Upgrade", name)]
        all.append(fields)
        return Response(.switchingProtocols, fields: all, content: .upgrade(Upgrade(take: take)))
    }
}

extension Connection {
    /// Leaves the connection to the owner of the upgrade.
    func handOver(_ upgrade: Upgrade, of client: SocketAddress?) {
        phase = .upgraded
        output = []
        record = nil
        upgrade.take(HandedConnection(self, of: client, received: parser.takeInput()))
    }

    /// The end of a connection that was handed over, after the peer has read all.
    fileprivate func leaveGently() async {
        await closeGently()
        home.remove(self)
    }

    fileprivate func leave() {
        phase = .closing
        home.remove(self)
    }
}
