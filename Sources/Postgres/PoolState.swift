/// What a pool knows and decides, without a socket and without a clock. Events go in, actions come out, and `Pool`
/// performs them; so every interleaving can be tried in a unit test.
struct PoolState {
    /// The bounds of a pool.
    struct Limits: Sendable {
        /// Connections at most.
        var connections: Int
        /// How many leases one connection carries at a time: 1 for writes, more where pipelining is shared.
        var leasesPerConnection: Int
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
    }

    private let limits: Limits
    private var slots: [Slot]
    private var backoffMs: UInt64
    private var queue: [Waiter] = []
    /// Keys that hold a lease, each with those who wait for it.
    private var busyKeys: [String: [Waiter]] = [:]
    private(set) var waiting = 0

    /// How many connections carry nothing, carry something, and are being opened.
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
        slots = Array(repeating: .closed, count: limits.connections)
        backoffMs = limits.firstBackoffMs
    }

    /// Somebody wants a lease; of one key there is at most one at a time, in the order of asking.
    mutating func acquire(_ id: Int, key: String? = nil) -> [Action] {
        // However many wait for the key of others, who can be served at once is.
        let mustWait = leastUsedSlot() == nil || key.map { busyKeys[$0] != nil } ?? false
        if mustWait, waiting >= limits.waitersMax { return [.refuse(waiter: id, .queueFull)] }
        if let key, let waiters = busyKeys[key], waiters.count >= limits.waitersPerKeyMax {
            return [.refuse(waiter: id, .queueFull)]
        }
        waiting += 1
        let waiter = Waiter(id: id, key: key)
        if let key, busyKeys[key] != nil {
            busyKeys[key]?.append(waiter)
            return []
        }
        if let key { busyKeys[key] = [] }
        queue.append(waiter)
        return serve()
    }

    /// A lease is given back.
    mutating func release(slot: Int, key: String? = nil) -> [Action] {
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
        slots[slot] = .open(leases: 0)
        return serve()
    }

    /// Waiters hear at once that the database is away, unless another connection still serves them.
    mutating func connectFailed(slot: Int) -> [Action] {
        var actions: [Action] = []
        slots[slot] = .closed
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

    /// Nobody is going to be served any more.
    mutating func close() -> [Action] { refuseAll(.closed) }

    /// A waiter's deadline has passed. Nothing happens when it was served meanwhile.
    mutating func timedOut(_ id: Int) -> [Action] {
        if let index = queue.firstIndex(where: { $0.id == id }) {
            let waiter = queue.remove(at: index)
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
        var served = 0
        while served < queue.count, let slot = leastUsedSlot() {
            let waiter = queue[served]
            served += 1
            waiting -= 1
            if case .open(let leases) = slots[slot] { slots[slot] = .open(leases: leases + 1) }
            actions.append(.lease(slot: slot, waiter: waiter.id))
        }
        queue.removeFirst(served)
        return actions + growIfBusy()
    }

    private func leastUsedSlot() -> Int? {
        var best: (slot: Int, leases: Int)?
        for (slot, state) in slots.enumerated() {
            guard case .open(let leases) = state, leases < limits.leasesPerConnection else { continue }
            if leases < best?.leases ?? .max { best = (slot, leases) }
        }
        return best?.slot
    }

    /// Opens as many connections as requests wait, and one when none is idle; those that are being opened count as idle.
    private mutating func growIfBusy() -> [Action] {
        var idle = slots.count { $0 == .open(leases: 0) || $0 == .connecting }
        let isUsed = !queue.isEmpty || slots.contains { if case .open(let leases) = $0 { leases > 0 } else { false } }
        guard isUsed else { return [] }
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
        queue.append(next)
    }

    private mutating func refuseAll(_ refusal: Refusal) -> [Action] {
        let waiters = queue + busyKeys.values.joined()
        let queuedKeys = queue.compactMap(\.key)
        queue = []
        waiting = 0
        for key in busyKeys.keys { busyKeys[key] = [] }
        for key in queuedKeys { busyKeys[key] = nil }
        return waiters.map { .refuse(waiter: $0.id, refusal) }
    }
}
