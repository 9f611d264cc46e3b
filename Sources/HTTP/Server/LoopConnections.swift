import Net

/// The connections of one loop. Used on that loop's thread only, so that a request needs no lock and no lookup.
final class LoopConnections {
    @exclusivity(unchecked) var date = HTTPDate()
    private let rules: ConnectionRules
    private var open: [Connection] = []
    private var shares = BufferShares()
    /// The connections of the other loops.
    var others: () -> [LoopBound<LoopConnections>] = { [] }
    /// All counts but the current numbers of connections and input bytes.
    var counts = ConnectionStatistics()
    private var refusing = 0
    private var isWatching = false
    /// The most connections, and the most bytes reserved by them, since memory was last returned to the system.
    private var rush = (connections: 0, bytes: 0)
    /// A smaller rush leaves too little to return.
    private static let rushMin = (connections: 256, bytes: 4 << 20)
    /// Returning may take the loop 100 ms, so it is rare.
    private static let giveBackPauseMs: UInt64 = 30_000
    private var gaveBackMs: UInt64 = 0

    init(_ rules: ConnectionRules) { self.rules = rules }

    /// The decision about a new connection.
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
            // A flood should not get the cost of a handshake.
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
        assert(connection.reservedBytes == 0, "reserved bytes would be counted for ever")
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
    /// Counts bytes that a holder has reserved or released.
    func note(_ count: Int, heldBy holder: BufferHolder) {
        counts.reservedBytes += count
        rush.bytes = max(rush.bytes, counts.reservedBytes)
        shares.add(count, to: holder)
    }

    /// Ends requests so that others hold `count` bytes less. Returns false when no
    /// request must make room for that connection.
    func makeRoom(_ count: Int, for asking: Connection) -> Bool {
        evict(count, besides: asking, ownBytes: shares[asking.wouldBeHolder])
    }

    /// The same on the other loops. There, holders of more than `count` bytes must make room.
    func makeRoomElsewhere(_ count: Int) async {
        for other in others() where await other.loop.run({ other.value.evict(count, besides: nil, ownBytes: count) }) {
            return
        }
    }

    private func evict(_ count: Int, besides asking: Connection?, ownBytes: Int) -> Bool {
        // A look at all connections is only useful if it frees more than a little.
        let wanted = max(count, rules.limits.buffersMaxBytes / 64)
        var freed = 0
        for connection in evictable(besides: asking, ownBytes: ownBytes) where freed < wanted {
            freed += connection.reservedBytes
            connection.evict()
        }
        return freed > 0
    }

    /// The connections that must make room, first to last, by the bytes of their holder and the length of their
    /// silence. Included are connections of holders with more bytes than the asking one, and silent connections.
    private func evictable(besides asking: Connection?, ownBytes: Int) -> [Connection] {
        let nowMs = open.first?.nowMs ?? 0
        let candidates = open.compactMap { connection -> (connection: Connection, bytes: Int, silentMs: UInt64)? in
            guard connection.isEvictable, connection !== asking, let holder = connection.holder else { return nil }
            let (bytes, silentMs) = (shares[holder], nowMs - connection.heardMs)
            guard bytes > ownBytes || silentMs >= rules.limits.silenceMs else { return nil }
            return (connection, bytes, silentMs)
        }
        return candidates.sorted { ($0.bytes, $0.silentMs) > ($1.bytes, $1.silentMs) }.map(\.connection)
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

    /// Closes connections that wait for a request, unless one has arrived already.
    func closeIdle() {
        for connection in open where connection.isForsaken { connection.close() }
    }

    func closeAll() {
        for connection in open { connection.cutOff() }
    }
}
