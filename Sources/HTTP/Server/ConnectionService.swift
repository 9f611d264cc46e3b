import Net
import Synchronization

/// What all connections of a server share, and the list of them.
final class ConnectionService: Sendable {
    let limits: ServerLimits
    /// Stand in every answer.
    let fixedFields: FieldBlock
    let handler: Server.Handler
    let refusal: Server.Refusal
    let date = HTTPDate()
    private let isDraining = Atomic(false)
    /// Connections that are being told 503; beyond so many a further one is only closed.
    private let refusing = Atomic(0)
    private static let refusingMax = 128
    private let open = Locked<[ObjectIdentifier: Entry]>([:])

    private struct Entry {
        let socket: Socket
        var isIdle: Bool
    }

    init(
        limits: ServerLimits,
        fixedFields: FieldBlock,
        handler: @escaping Server.Handler,
        refusal: @escaping Server.Refusal
    ) {
        self.limits = limits
        self.fixedFields = fixedFields
        self.handler = handler
        self.refusal = refusal
    }

    var isStopping: Bool { isDraining.load(ordering: .relaxed) }
    var connectionCount: Int { open.withLock { $0.count } }

    /// Serves a new connection in a task of its own, on the loop that accepted it.
    func take(_ socket: Socket) {
        let isWelcome = open.withLock { open in
            guard open.count < limits.connectionsMax else { return false }
            open[ObjectIdentifier(socket)] = Entry(socket: socket, isIdle: true)
            return true
        }
        guard isWelcome else { return refuse(socket) }
        socket.loop.spawn { [self] in
            await Connection(socket, self).serve()
            _ = open.withLock { $0.removeValue(forKey: ObjectIdentifier(socket)) }
        }
    }

    private func refuse(_ socket: Socket) {
        if refusing.add(1, ordering: .relaxed).newValue > Self.refusingMax {
            refusing.subtract(1, ordering: .relaxed)
            return socket.close()
        }
        socket.loop.spawn { [self] in
            await Connection(socket, self).refuse()
            refusing.subtract(1, ordering: .relaxed)
        }
    }

    /// Notes whether a connection waits for its next request. False when the server is stopping: it should close.
    func note(_ socket: Socket, isIdle: Bool) -> Bool {
        open.withLock { $0[ObjectIdentifier(socket)]?.isIdle = isIdle }
        return !isStopping
    }

    func closeIdle(on loop: EventLoop) {
        isDraining.store(true, ordering: .relaxed)
        for socket in sockets(on: loop, where: { $0.isIdle }) { socket.close() }
    }

    /// Those in the middle of an answer, too: nobody is to take it for a whole one.
    func closeAll(on loop: EventLoop) {
        for socket in sockets(on: loop, where: { _ in true }) { socket.abort() }
    }

    private func sockets(on loop: EventLoop, where isMeant: (Entry) -> Bool) -> [Socket] {
        open.withLock { open in
            open.values.filter { $0.socket.loop === loop && isMeant($0) }.map(\.socket)
        }
    }
}
