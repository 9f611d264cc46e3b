import TestSupport
import Testing

@testable import Postgres

/// Simulates random events around a `PoolState`, and checks the state's promises.
private struct PoolWalk {
    private let limits: PoolState.Limits
    private var pool: PoolState
    private var random: SeededRandom
    private var nextWaiter = 0
    private var keys: [Int: String] = [:]
    private var waiting: [Int] = []
    private var leases: [(waiter: Int, slot: Int)] = []
    private var connecting: Set<Int> = []
    private var open: Set<Int> = []
    private(set) var violations: [String] = []
    private(set) var served = 0
    private(set) var refused = 0

    init(seed: UInt64, _ limits: PoolState.Limits) {
        self.limits = limits
        pool = PoolState(limits)
        random = SeededRandom(seed: seed)
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<40: acquire()
        case ..<75: release()
        case ..<85: connect(succeeds: true)
        case ..<90: connect(succeeds: false)
        case ..<95: lose()
        default: timeOut()
        }
        check()
    }

    /// Releases all leases and lets every connection succeed. Then checks that the pool comes to rest.
    mutating func settle() {
        while !leases.isEmpty || !connecting.isEmpty {
            release()
            connect(succeeds: true)
            check()
        }
        if !waiting.isEmpty { violations.append("lost: \(waiting)") }
        let capacity = open.count * limits.leasesPerConnection
        for _ in 0..<capacity { acquire(key: nil) }
        if leases.count < capacity { violations.append("not idle: \(leases.count) of \(capacity)") }
    }

    private mutating func acquire() {
        acquire(key: Bool.random(using: &random) ? nil : "k\(Int.random(in: 0..<4, using: &random))")
    }

    private mutating func acquire(key: String?) {
        let id = nextWaiter
        nextWaiter += 1
        keys[id] = key
        waiting.append(id)
        perform(pool.acquire(id, key: key))
    }

    private mutating func release() {
        guard let index = leases.indices.randomElement(using: &random) else { return }
        let lease = leases.remove(at: index)
        perform(pool.release(slot: lease.slot, key: keys[lease.waiter]))
    }

    private mutating func connect(succeeds: Bool) {
        guard let slot = connecting.sorted().randomElement(using: &random) else { return }
        connecting.remove(slot)
        if succeeds { open.insert(slot) }
        perform(succeeds ? pool.connected(slot: slot) : pool.connectFailed(slot: slot))
    }

    private mutating func lose() {
        guard let slot = open.sorted().randomElement(using: &random) else { return }
        open.remove(slot)
        perform(pool.connectionLost(slot: slot))
    }

    private mutating func timeOut() {
        // Sometimes the test chooses a waiter that was served long ago, because a timer may fire late.
        if let id = (waiting + [nextWaiter / 2]).randomElement(using: &random) { perform(pool.timedOut(id)) }
    }

    private mutating func perform(_ actions: [PoolState.Action]) {
        for action in actions {
            switch action {
            case .connect(let slot), .connectLater(let slot, _):
                if open.contains(slot) || !connecting.insert(slot).inserted {
                    violations.append("opened twice: \(slot)")
                }
                if leases.contains(where: { $0.slot == slot }) { violations.append("opened while leased: \(slot)") }
            case .lease(let slot, let waiter):
                answer(waiter)
                if !open.contains(slot) { violations.append("leased \(slot), which is not open") }
                leases.append((waiter, slot))
                served += 1
            case .refuse(let waiter, _):
                answer(waiter, isServed: false)
                refused += 1
            }
        }
    }

    private mutating func answer(_ waiter: Int, isServed: Bool = true) {
        guard let index = waiting.firstIndex(of: waiter) else { return violations.append("answered twice: \(waiter)") }
        let isFirst = !waiting[..<index].contains { keys[$0] != nil && keys[$0] == keys[waiter] }
        if isServed, !isFirst { violations.append("out of order: \(waiter)") }
        waiting.remove(at: index)
    }

    private mutating func check() {
        for slot in 0..<limits.connections {
            let count = leases.count { $0.slot == slot }
            if count > limits.leasesPerConnection { violations.append("\(count) leases of \(slot)") }
        }
        let leased = leases.compactMap { keys[$0.waiter] }
        if Set(leased).count < leased.count { violations.append("two leases of a key") }
        if pool.waiting != waiting.count { violations.append("\(pool.waiting) for \(waiting.count) waiters") }
        if waiting.count > limits.waitersMax { violations.append("\(waiting.count) waiters") }
        if !waiting.isEmpty, leases.isEmpty, connecting.isEmpty { violations.append("nothing will wake the waiters") }
    }
}

@Suite("Random walks of the connection pool")
struct PoolWalkTests {
    @Test("The pool keeps its invariants and comes to rest under any order of events", arguments: 1...8)
    func walk(seed: Int) {
        var walk = PoolWalk(
            seed: UInt64(seed),
            PoolState.Limits(connections: 1 + seed % 4, leasesPerConnection: 1 + seed % 3, waitersMax: 4 + seed % 7)
        )
        for _ in 0..<4000 where walk.violations.isEmpty { walk.step() }
        #expect(walk.violations.isEmpty)
        walk.settle()
        #expect(walk.violations.isEmpty)
        #expect(walk.served > 500)
        #expect(walk.refused > 50)
    }
}
