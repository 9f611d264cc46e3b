import Net

/// The connections of a server, by loop.
final class ConnectionService: Sendable {
    private let rules: ConnectionRules
    private let homes: [LoopBound<LoopConnections>]

    init(loops: [EventLoop], rules: ConnectionRules) {
        self.rules = rules
        homes = loops.map { LoopBound(LoopConnections(rules), to: $0) }
        for home in homes {
            home.loop.spawn { [weak self] in home.value.others = { self?.homes.filter { $0 !== home } ?? [] } }
        }
    }

    var limits: ServerLimits { rules.limits }
    var isStopping: Bool { rules.isStopping }
    var connectionCount: Int { rules.connectionCount }

    private func home(of loop: EventLoop) -> LoopBound<LoopConnections>? { homes.first { $0.loop === loop } }

    /// Serves a new connection in a task of its own, on the loop that accepted it.
    func take(_ socket: Socket) {
        let loop = socket.loop
        guard let home = home(of: loop) else { return socket.close() }
        switch home.value.welcome(socket) {
        case .serve(let address, let isProxy):
            let connection = home.value.add(socket, address: address, isProxy: isProxy)
            loop.spawn { await connection.run() }
            if home.value.beginWatching() { loop.spawn { await home.value.watch(on: loop) } }
        case .refuse(let reason): loop.spawn { await home.value.tell(reason, to: socket) }
        case .close: socket.close()
        }
    }

    /// Must be called on the loop. From now on each connection ends after its current request.
    func closeIdle(on loop: EventLoop) {
        rules.stop()
        home(of: loop)?.value.closeIdle()
    }

    /// Must be called on the loop.
    func closeAll(on loop: EventLoop) { home(of: loop)?.value.closeAll() }

    /// The statistics of each loop, in their order.
    func statistics() async -> [ConnectionStatistics] {
        var all: [ConnectionStatistics] = []
        for home in homes { all.append(await home.loop.run { home.value.statistics }) }
        return all
    }
}
