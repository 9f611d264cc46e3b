import Net

/// The connections of one loop. Used on that loop's thread only, so that a request needs no lock and no lookup.
final class LoopConnections {
    @exclusivity(unchecked) var date = HTTPDate()
    let rules: ConnectionRules
    private(set) var open: [Connection] = []
    /// The holders of requests that proxies forwarded.
    var forwarded: [IPAddress?: Holder] = [:]
    /// The idle connections that give way next, the first one last; looked for again after `yieldingUntilMs`.
    var yielding: [(connection: Connection, sinceMs: UInt64)] = []
    var yieldingUntilMs: UInt64 = 0
    /// The connections of the other loops.
    var others: () -> [LoopBound<LoopConnections>] = { [] }
    /// All counts but the current numbers of connections and input bytes.
    var counts = ConnectionStatistics()
    private var refusing = 0
    /// New connections that wait for a place.
    var waits = PlaceWaits()
    private var isWatching = false
    /// The most connections, and the most bytes reserved by them, since memory was last returned to the system.
    var rush = (connections: 0, bytes: 0)
    /// A smaller rush leaves too little to return.
    private static let rushMin = (connections: 256, bytes: 4 << 20)
    /// Returning may take the loop 100 ms, so it is rare.
    private static let giveBackPauseMs: UInt64 = 30_000
    private var gaveBackMs: UInt64 = 0

    init(_ rules: ConnectionRules) { self.rules = rules }

    /// The decision about a new connection.
    enum Welcome {
        case serve(owner: Holder?, isProxy: Bool)
        /// All places are taken; an idle connection may have to give way.
        case wait(PlaceWait)
        case refuse(Server.RefusalReason)
        case close
    }

    func welcome(_ socket: Socket) -> Welcome {
        let peer = socket.peer
        let isProxy = !rules.limits.trustedProxies.isEmpty && rules.limits.trustedProxies.contains(peer: peer)
        var owner: Holder?
        if !isProxy, let address = peer.flatMap({ IPAddress($0.host)?.subscriber }) {
            owner = rules.enter(address)
            if owner == nil {
                counts.refusedByAddress += 1
                // A flood should not get the cost of a handshake.
                return refuse(.tooManyConnectionsOfAddress, isAnswered: !socket.isSecure)
            }
        }
        if rules.takePlace() { return seat(owner, isProxy: isProxy) }
        if rules.isStopping { return refuseByTotal(owner) }
        return .wait(PlaceWait(socket, owner: owner, isProxy: isProxy))
    }

    /// Serves a connection that has a place.
    func seat(_ owner: Holder?, isProxy: Bool) -> Welcome {
        counts.accepted += 1
        return .serve(owner: owner, isProxy: isProxy)
    }

    /// Ends a connection for which there is no place.
    func refuseByTotal(_ owner: Holder?) -> Welcome {
        owner?.leave()
        counts.refusedByTotal += 1
        return refuse(.tooManyConnections)
    }

    private func refuse(_ reason: Server.RefusalReason, isAnswered: Bool = true) -> Welcome {
        guard isAnswered, refusing < ServerLimits.refusingMax else {
            counts.refusedSilently += 1
            return .close
        }
        refusing += 1
        return .refuse(reason)
    }

    func add(_ socket: Socket, owner: Holder?, isProxy: Bool) -> Connection {
        let connection = Connection(socket, rules, self, owner: owner, isProxy: isProxy)
        connection.position = open.count
        open.append(connection)
        rush.connections = max(rush.connections, open.count)
        return connection
    }

    func tell(_ reason: Server.RefusalReason, to socket: Socket) async {
        await Connection(socket, rules, self, owner: nil, isProxy: false).refuse(reason)
        refusing -= 1
    }

    func remove(_ connection: Connection) {
        assert(connection.reservedBytes == 0, "reserved bytes would be counted for ever")
        if connection.hasPlace {
            rules.leavePlace()
            connection.owner?.leave()
        }
        let last = open.removeLast()
        guard last !== connection else { return }
        open[connection.position] = last
        last.position = connection.position
    }

    var statistics: ConnectionStatistics {
        var all = counts
        all.open = open.count
        for connection in open {
            all.inputBytes += connection.inputBytes
            if connection.phase == .idle { all.idle += 1 }
        }
        return all
    }
}

// MARK: Ending

extension LoopConnections {
    /// Returns true if `watch` is not running yet: the caller starts a task for it.
    func beginWatching() -> Bool {
        defer { isWatching = true }
        return !isWatching
    }

    /// Ends requests that take too long, while there are connections. A regular look at all of them is
    /// cheaper than a timer for each request.
    func watch(on loop: EventLoop) async {
        let stepMs = min(1000, max(10, rules.limits.requestTimeoutMs / 8))
        repeat {
            await loop.sleep(forMs: stepMs)
            for connection in open { connection.checkPace() }
            // Checked again: during the wait for one connection, another may have begun its next request.
            for connection in open.filter(\.isLate) where connection.isLate { await connection.giveUp() }
            forgetYielding()
            giveBackMemory()
        } while !open.isEmpty
        isWatching = false
    }

    /// Returns memory to the system after most of a rush, instead of keeping it for the next one.
    private func giveBackMemory() {
        let haveGone = rush.connections >= Self.rushMin.connections && open.count < rush.connections / 4
        let areFreed = rush.bytes >= Self.rushMin.bytes && counts.reservedBytes < rush.bytes / 4
        let nowMs = Monotonic.nowMs()
        guard haveGone || areFreed, nowMs >= gaveBackMs + Self.giveBackPauseMs else { return }
        gaveBackMs = nowMs
        rush = (open.count, counts.reservedBytes)
        FreedMemory.giveBack()
    }

    /// Closes connections that wait for a request, unless one has arrived already. Those of other protocols stay.
    func closeIdle() {
        for connection in open where connection.isForsaken { connection.close() }
    }

    func closeAll() {
        for connection in open { connection.cutOff() }
    }
}
