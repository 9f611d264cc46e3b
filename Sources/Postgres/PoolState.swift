/// What a pool knows and decides, without a socket and without a clock. Events go in, actions come out, and `Pool`
/// performs them; so every interleaving can be tried in a unit test.
///
/// A connection carries only so much expected work. The rest waits here, where shares take turns: see `TurnQueue`. So a share that asks for more
/// keeps the next one from its turn for that long at most.
struct PoolState {
    /// The bounds of a pool.
    struct Limits: Sendable {
        /// Connections at most.
        var connections: Int
        /// Leases that one connection carries at a time: 1 for writes, more for pipelined reads.
        var leasesPerConnection: Int
        /// The expected time of all batches that one connection carries. A batch that takes longer has the connection to itself.
        var loadMaxNs: UInt64 = 5_000_000
        /// Waiting requests at most.
        var waitersMax: Int
        /// Waiting requests of one key at most, so that one user can't fill the queue for all.
        var waitersPerKeyMax = 128
        var firstBackoffMs: UInt64 = 50
        var lastBackoffMs: UInt64 = 500
    }

    enum Action: Equatable {
        case connect(slot: Int)
        case connectLater(slot: Int, afterMs: UInt64)
        case lease(slot: Int, waiter: Int)
        case refuse(waiter: Int, Refusal)
    }

    enum Refusal: Equatable { case queueFull, databaseAway, timedOut, closed }

    private enum Slot: Equatable {
        case closed
        case connecting
        case open(leases: Int)
        /// The connection is gone; its leases have yet to be given back.
        case lost(leases: Int)
    }

    private struct Waiter {
        let id: Int
        let key: String?
        let share: String
    }

    private struct Lease {
        let id: Int
        let turn: TurnQueue<Waiter>.Turn
    }

    private let limits: Limits
    private var slots: [Slot]
    /// The leases of each slot, and their expected time.
    private var leases: [[Lease]]
    private var loadsNs: [UInt64]
    private var backoffMs: UInt64
    /// True from a failed connection to the next one that succeeds. A slot is being connected meanwhile.
    private var isRetrying = false
    private var queue: TurnQueue<Waiter>
    /// Keys that hold a lease, each with those who wait for it.
    private var busyKeys: [String: [Waiter]] = [:]
    private(set) var waiting = 0

    /// The number of connections without a lease, with leases, and being opened.
    var connectionCounts: (idle: Int, busy: Int, connecting: Int) {
        slots.reduce(into: (0, 0, 0)) { counts, slot in
            switch slot {
            case .closed, .lost: break
            case .connecting: counts.2 += 1
            case .open(let leases): if leases == 0 { counts.0 += 1 } else { counts.1 += 1 }
            }
        }
    }

    init(_ limits: Limits) {
        self.limits = limits
        // A share may use every connection. One with long batches has one under way, and leaves the other connections to others.
        queue = TurnQueue(underWayMaxNs: limits.loadMaxNs * UInt64(limits.connections))
        slots = Array(repeating: .closed, count: limits.connections)
        leases = Array(repeating: [], count: limits.connections)
        loadsNs = Array(repeating: 0, count: limits.connections)
        backoffMs = limits.firstBackoffMs
    }

    /// Asks for a lease. One key has at most one lease at a time, in the order of the requests. `share` takes turns with others; without a share, the
    /// key does.
    mutating func acquire(_ id: Int, key: String? = nil, share: String? = nil) -> [Action] {
        let waiter = Waiter(id: id, key: key, share: share ?? key ?? "")
        var actions: [Action] = []
        if let key, let waiters = busyKeys[key], waiters.count >= limits.waitersPerKeyMax {
            return [.refuse(waiter: id, .queueFull)]
        }
        // However many wait for the key of others, who can be served at once is.
        if waiting >= limits.waitersMax, mustWait(waiter) {
            guard let evicted = evict(for: waiter) else { return [.refuse(waiter: id, .queueFull)] }
            actions.append(.refuse(waiter: evicted.id, .queueFull))
        }
        waiting += 1
        if let key, busyKeys[key] != nil {
            busyKeys[key]?.append(waiter)
            return actions
        }
        if let key { busyKeys[key] = [] }
        queue.append(waiter, to: waiter.share)
        return actions + serve()
    }

    /// A lease without a key and without a wait. Nil if others wait, if no connection has room, and if one can be opened: `acquire` then.
    mutating func acquireAtOnce(_ id: Int, share: String) -> Int? {
        guard queue.isEmpty, !slots.contains(.closed) else { return nil }
        let number = queue.number(of: share)
        guard queue.mayBegin(number), let slot = slot(for: queue.costNs(of: number)) else { return nil }
        lease(slot, to: id, queue.begin(number))
        return slot
    }

    /// A lease is given back: that of `waiter`, or the slot's oldest one. `costNs` is the time that it took; nil if nobody knows.
    mutating func release(slot: Int, waiter: Int? = nil, key: String? = nil, costNs: UInt64? = nil) -> [Action] {
        endLease(slot, waiter, costNs)
        freeKey(key)
        switch slots[slot] {
        case .open(let leases):
            slots[slot] = .open(leases: leases - 1)
            return serve()
        case .lost(let leases):
            slots[slot] = .lost(leases: leases - 1)
            return leases == 1 ? reconnect(slot) + serve() : serve()
        case .closed, .connecting:
            return serve()
        }
    }

    mutating func connected(slot: Int) -> [Action] {
        backoffMs = limits.firstBackoffMs
        isRetrying = false
        slots[slot] = .open(leases: 0)
        return serve()
    }

    /// Waiters hear at once that the database is away, unless another connection still serves them.
    mutating func connectFailed(slot: Int) -> [Action] {
        var actions: [Action] = []
        slots[slot] = .closed
        isRetrying = true
        // One that tries finds out when the database is back; who waits then opens the others, all at once.
        if !slots.contains(.connecting) {
            actions = reconnect(slot)
            backoffMs = min(backoffMs * 2, limits.lastBackoffMs)
        }
        let isServing = slots.contains { if case .open = $0 { true } else { false } }
        if !isServing { actions += refuseAll(.databaseAway) }
        return actions
    }

    mutating func connectionLost(slot: Int) -> [Action] {
        guard case .open(let leases) = slots[slot] else { return [] }
        slots[slot] = .lost(leases: leases)
        return leases == 0 ? reconnect(slot) : []
    }

    /// Refuses all waiting requests.
    mutating func close() -> [Action] { refuseAll(.closed) }

    /// Refuses a waiter after its deadline, unless it was served meanwhile.
    mutating func timedOut(_ id: Int) -> [Action] {
        if let waiter = queue.remove(where: { $0.id == id }) {
            waiting -= 1
            freeKey(waiter.key)
            return [.refuse(waiter: id, .timedOut)] + serve()
        }
        for (key, waiters) in busyKeys {
            guard let index = waiters.firstIndex(where: { $0.id == id }) else { continue }
            busyKeys[key]?.remove(at: index)
            waiting -= 1
            return [.refuse(waiter: id, .timedOut)]
        }
        return []
    }
}

extension PoolState {
    private mutating func serve() -> [Action] {
        var actions: [Action] = []
        // Nobody passes the share whose turn it is, so that costly batches are not overtaken for ever.
        while let next = queue.next, let slot = slot(for: queue.costNs(of: next)) {
            let (waiter, turn) = queue.removeFirst(of: next)
            waiting -= 1
            lease(slot, to: waiter.id, turn)
            actions.append(.lease(slot: slot, waiter: waiter.id))
        }
        return actions + growIfBusy()
    }

    private mutating func lease(_ slot: Int, to id: Int, _ turn: TurnQueue<Waiter>.Turn) {
        if case .open(let count) = slots[slot] { slots[slot] = .open(leases: count + 1) }
        leases[slot].append(Lease(id: id, turn: turn))
        loadsNs[slot] += turn.costNs
    }

    private mutating func endLease(_ slot: Int, _ id: Int?, _ costNs: UInt64?) {
        let index = id.map { id in leases[slot].firstIndex { $0.id == id } } ?? leases[slot].indices.first
        guard let index else { return }
        let lease = leases[slot].remove(at: index)
        loadsNs[slot] -= lease.turn.costNs
        queue.end(lease.turn, costNs: costNs)
    }

    private mutating func mustWait(_ waiter: Waiter) -> Bool {
        if let key = waiter.key, busyKeys[key] != nil { return true }
        let number = queue.number(of: waiter.share)
        return queue.next != nil || !queue.mayBegin(number) || slot(for: queue.costNs(of: number)) == nil
    }

    /// Makes room in a full queue. Removes the newest request of the share with the most in the queue, or of the key with the most behind it; nil if
    /// none has two more than this one's.
    private mutating func evict(for waiter: Waiter) -> Waiter? {
        if let evicted = queue.evict(for: waiter.share) {
            waiting -= 1
            // Otherwise the others of its key would wait for it for ever.
            freeKey(evicted.key)
            return evicted
        }
        let own = waiter.key.flatMap { busyKeys[$0]?.count } ?? 0
        guard let largest = busyKeys.max(by: { $0.value.count < $1.value.count }), largest.value.count > own + 1 else {
            return nil
        }
        waiting -= 1
        return busyKeys[largest.key]?.popLast()
    }

    /// The open slot with the least load, if it has room for a batch that takes so long.
    private func slot(for costNs: UInt64) -> Int? {
        var best: (slot: Int, leases: Int)?
        for (slot, state) in slots.enumerated() {
            guard case .open(let leases) = state, leases < limits.leasesPerConnection else { continue }
            if best.map({ loadsNs[slot] < loadsNs[$0.slot] }) ?? true { best = (slot, leases) }
        }
        guard let best, best.leases == 0 || loadsNs[best.slot] + costNs <= limits.loadMaxNs else { return nil }
        return best.slot
    }

    /// Opens as many connections as requests wait, and one when none is idle; those that are being opened count as idle. Requests do not
    /// shorten the pause after a failure.
    private mutating func growIfBusy() -> [Action] {
        var idle = slots.count { $0 == .open(leases: 0) || $0 == .connecting }
        let isUsed = !queue.isEmpty || slots.contains { if case .open(let leases) = $0 { leases > 0 } else { false } }
        guard isUsed, !isRetrying else { return [] }
        var actions: [Action] = []
        while idle < max(1, queue.count), let slot = slots.firstIndex(of: .closed) {
            slots[slot] = .connecting
            actions.append(.connect(slot: slot))
            idle += 1
        }
        return actions
    }

    private mutating func reconnect(_ slot: Int) -> [Action] {
        slots[slot] = .connecting
        return [.connectLater(slot: slot, afterMs: backoffMs)]
    }

    private mutating func freeKey(_ key: String?) {
        guard let key, let waiters = busyKeys[key] else { return }
        guard let next = waiters.first else {
            busyKeys[key] = nil
            return
        }
        busyKeys[key]?.removeFirst()
        queue.append(next, to: next.share)
    }

    private mutating func refuseAll(_ refusal: Refusal) -> [Action] {
        let queued = queue.removeAll()
        let waiters = queued + busyKeys.values.joined()
        let queuedKeys = queued.compactMap(\.key)
        waiting = 0
        for key in busyKeys.keys { busyKeys[key] = [] }
        for key in queuedKeys { busyKeys[key] = nil }
        return waiters.map { .refuse(waiter: $0.id, refusal) }
    }
}
