import Net

/// The connections of one loop. Touched on that loop's thread only, so that a request takes no lock and looks nothing up.
final class LoopConnections {
    @exclusivity(unchecked) var date = HTTPDate()
    private let rules: ConnectionRules
    private var open: [Connection] = []
    private var shares = BufferShares()
    /// Those of the other loops.
    var others: () -> [LoopBound<LoopConnections>] = { [] }
    /// All but what is now.
    var counts = ConnectionStatistics()
    private var refusing = 0
    private var isWatching = false
    /// The most connections, and the most bytes that they had reserved, since memory was last given back.
    private var rush = (connections: 0, bytes: 0)
    /// A rush of less leaves nothing worth the while.
    private static let rushMin = (connections: 256, bytes: 4 << 20)
    /// It may take the loop 100 ms: now and then only.
    private static let giveBackPauseMs: UInt64 = 30_000
    private var gaveBackMs: UInt64 = 0

    init(_ rules: ConnectionRules) { self.rules = rules }

    /// What a new connection is to hear.
    enum Welcome {
        case serve(address: IPAddress?, isProxy: Bool)
        case refuse(Server.RefusalReason)
        case close
    }

    func welcome(_ socket: Socket) -> Welcome {
        let peer = socket.peer
        let isProxy = !rules.limits.trustedProxies.isEmpty && rules.limits.trustedProxies.contains(peer: peer)
        let address = isProxy ? nil : peer.flatMap { IPAddress($0.host)?.subscriber }
        switch rules.enter(address) {
        case nil:
            counts.accepted += 1
            return .serve(address: address, isProxy: isProxy)
        case .byTotal:
            counts.refusedByTotal += 1
            return refuse(.tooManyConnections)
        case .byAddress:
            counts.refusedByAddress += 1
            // A handshake costs more than all that a flood should get.
            return refuse(.tooManyConnectionsOfAddress, isAnswered: !socket.isSecure)
        }
    }

    private func refuse(_ reason: Server.RefusalReason, isAnswered: Bool = true) -> Welcome {
        guard isAnswered, refusing < ServerLimits.refusingMax else {
            counts.refusedSilently += 1
            return .close
        }
        refusing += 1
        return .refuse(reason)
    }

    func add(_ socket: Socket, address: IPAddress?, isProxy: Bool) -> Connection {
        let connection = Connection(socket, rules, self, address: address, isProxy: isProxy)
        connection.position = open.count
        open.append(connection)
        rush.connections = max(rush.connections, open.count)
        return connection
    }

    func tell(_ reason: Server.RefusalReason, to socket: Socket) async {
        await Connection(socket, rules, self, address: nil, isProxy: false).refuse(reason)
        refusing -= 1
    }

    func remove(_ connection: Connection) {
        rules.leave(connection.address)
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

// MARK: Memory

extension LoopConnections {
    /// Counts what a holder has reserved, or released.
    func note(_ count: Int, heldBy holder: BufferHolder) {
        counts.reservedBytes += count
        rush.bytes = max(rush.bytes, counts.reservedBytes)
        shares.add(count, to: holder)
    }

    /// Ends requests so that others hold `count` bytes less. False when nobody is to give way to that connection.
    func makeRoom(_ count: Int, for asking: Connection) -> Bool {
        evict(count, besides: asking, ownBytes: shares[asking.wouldBeHolder])
    }

    /// The same on the other loops, where the asking holder has its share, too.
    func makeRoomElsewhere(_ count: Int) async {
        for other in others() where await other.loop.run({ other.value.evict(count, besides: nil, ownBytes: count) }) {
            return
        }
    }

    private func evict(_ count: Int, besides asking: Connection?, ownBytes: Int) -> Bool {
        // A look at all connections is worth the while when it frees more than a little.
        let wanted = max(count, rules.limits.buffersMaxBytes / 64)
        var freed = 0
        for connection in evictable(besides: asking, ownBytes: ownBytes) where freed < wanted {
            freed += connection.reservedBytes
            connection.evict()
        }
        return freed > 0
    }

    /// Who gives way, first to last: connections whose holder has more than the asking one, by what their holder has and how long they have been
    /// silent; and any that is silent.
    private func evictable(besides asking: Connection?, ownBytes: Int) -> [Connection] {
        let nowMs = open.first?.nowMs ?? 0
        let candidates = open.compactMap { connection -> (connection: Connection, bytes: Int, silentMs: UInt64)? in
            guard connection.isEvictable, connection !== asking, let holder = connection.holder else { return nil }
            let (bytes, silentMs) = (shares[holder], nowMs - connection.heardMs)
            guard bytes > ownBytes || silentMs >= Self.silenceMs else { return nil }
            return (connection, bytes, silentMs)
        }
        return candidates.sorted { ($0.bytes, $0.silentMs) > ($1.bytes, $1.silentMs) }.map(\.connection)
    }

    /// Who has sent nothing for so long gives way to anybody.
    private static let silenceMs: UInt64 = 1000
}

// MARK: Ending

extension LoopConnections {
    /// True when nobody watches yet: the caller starts a task for `watch`.
    func beginWatching() -> Bool {
        defer { isWatching = true }
        return !isWatching
    }

    /// Ends requests that take too long, as long as there are connections. One look at all of them every now and then is
    /// cheaper than a timer for each request.
    func watch(on loop: EventLoop) async {
        let stepMs = min(1000, max(10, rules.limits.requestTimeoutMs / 8))
        repeat {
            await loop.sleep(forMs: stepMs)
            for connection in open { connection.checkPace() }
            // Asked again: while one is told, another may have ended its request and begun the next.
            for connection in open.filter(\.isLate) where connection.isLate { await connection.giveUp() }
            giveBackMemory()
        } while !open.isEmpty
        isWatching = false
    }

    /// Once most of a rush has gone, what it needed is not kept for the next one.
    private func giveBackMemory() {
        let haveGone = rush.connections >= Self.rushMin.connections && open.count < rush.connections / 4
        let areFreed = rush.bytes >= Self.rushMin.bytes && counts.reservedBytes < rush.bytes / 4
        let nowMs = Monotonic.nowMs()
        guard haveGone || areFreed, nowMs >= gaveBackMs + Self.giveBackPauseMs else { return }
        gaveBackMs = nowMs
        rush = (open.count, counts.reservedBytes)
        FreedMemory.giveBack()
    }

    /// Closes what waits for a request, unless one has arrived already.
    func closeIdle() {
        for connection in open where connection.isForsaken { connection.close() }
    }

    func closeAll() {
        for connection in open { connection.cutOff() }
    }
}
