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
        guard let home = home(of: socket.loop) else { return socket.close() }
        follow(home.value.welcome(socket), socket, home)
    }

    private func follow(_ welcome: LoopConnections.Welcome, _ socket: Socket, _ home: LoopBound<LoopConnections>) {
        let loop = home.loop
        switch welcome {
        case .serve(let owner, let isProxy):
            let connection = home.value.add(socket, owner: owner, isProxy: isProxy)
            loop.spawn { await connection.run() }
            if home.value.beginWatching() { loop.spawn { await home.value.watch(on: loop) } }
        case .wait(let wait):
            let refused = home.value.waits.add(wait)
            if let refused { follow(home.value.refuseByTotal(refused.owner), refused.socket, home) }
            if refused !== wait { loop.spawn { await self.serve(after: wait, home) } }
        case .refuse(let reason): loop.spawn { await home.value.tell(reason, to: socket) }
        case .close: socket.close()
        }
    }

    /// Serves a new connection when an idle one has given way, or refuses it after a bounded time.
    private func serve(after wait: PlaceWait, _ home: LoopBound<LoopConnections>) async {
        await home.loop.awaiting(forMs: limits.placeWaitMs) { [self] in
            guard await home.value.makePlace(for: wait) else { return }
            guard wait.decide() else { return rules.leavePlace() }
            follow(home.value.seat(wait.owner, isProxy: wait.isProxy), wait.socket, home)
        }
        home.value.waits.remove(wait)
        if wait.decide() { follow(home.value.refuseByTotal(wait.owner), wait.socket, home) }
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
