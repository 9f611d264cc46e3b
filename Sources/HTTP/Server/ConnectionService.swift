import Net
import Synchronization

/// What all connections of a server share, and the list of them.
final class ConnectionService: Sendable {
    let limits: ServerLimits
    let handler: Server.Handler
    let refusal: Server.Refusal
    let date = HTTPDate()
    private let isDraining = Atomic(false)
    private let open = Mutex<[ObjectIdentifier: Entry]>([:])

    private struct Entry {
        let socket: Socket
        var isIdle: Bool
    }

    init(limits: ServerLimits, handler: @escaping Server.Handler, refusal: @escaping Server.Refusal) {
        self.limits = limits
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
        socket.loop.spawn { [self] in
            let connection = Connection(socket, self)
            if isWelcome { await connection.serve() } else { await connection.refuse() }
            _ = open.withLock { $0.removeValue(forKey: ObjectIdentifier(socket)) }
        }
    }

    /// Notes whether a connection waits for its next request. False when the server is stopping: it should close.
    func note(_ socket: Socket, isIdle: Bool) -> Bool {
        open.withLock { $0[ObjectIdentifier(socket)]?.isIdle = isIdle }
        return !isStopping
    }

    func closeIdle(on loop: EventLoop) {
        isDraining.store(true, ordering: .relaxed)
        close(on: loop) { $0.isIdle }
    }

    func closeAll(on loop: EventLoop) { close(on: loop) { _ in true } }

    private func close(on loop: EventLoop, where isMeant: (Entry) -> Bool) {
        let sockets = open.withLock { open in
            open.values.filter { $0.socket.loop === loop && isMeant($0) }.map(\.socket)
        }
        for socket in sockets { socket.close() }
    }
}
