import Testing

@testable import Postgres

@Suite("Decisions of the connection pool")
struct PoolStateTests {
    private static func state(_ connections: Int, leases: Int = 1, waiters: Int = 10) -> PoolState {
        PoolState(
            PoolState.Limits(
                connections: connections,
                leasesPerConnection: leases,
                waitersMax: waiters,
                firstBackoffMs: 50,
                lastBackoffMs: 300
            )
        )
    }

    /// A pool with its first connection open and idle.
    private static func opened(_ connections: Int, leases: Int = 1, waiters: Int = 10) -> PoolState {
        var pool = state(connections, leases: leases, waiters: waiters)
        #expect(pool.acquire(-1) == [.connect(slot: 0)])
        #expect(pool.connected(slot: 0).contains(.lease(slot: 0, waiter: -1)))
        _ = pool.release(slot: 0)
        return pool
    }

    @Test("The pool's first request opens a connection and gets it, and the next ones reuse it")
    func first() {
        var pool = Self.state(1)
        #expect(pool.acquire(1) == [.connect(slot: 0)])
        #expect(pool.acquire(2) == [])
        #expect(pool.waiting == 2)
        #expect(pool.connected(slot: 0) == [.lease(slot: 0, waiter: 1)])
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 2)])
        #expect(pool.release(slot: 0) == [])
        #expect(pool.acquire(3) == [.lease(slot: 0, waiter: 3)])
        #expect(pool.waiting == 0)
    }

    @Test("The pool opens another connection as soon as none is idle, up to its limit")
    func growth() {
        var pool = Self.opened(3)
        #expect(pool.acquire(1) == [.lease(slot: 0, waiter: 1)])
        // A connection that is being opened counts as idle.
        #expect(pool.acquire(2) == [])
        #expect(pool.acquire(3) == [.connect(slot: 2)])
        var other = Self.state(3)
        #expect(other.acquire(1) == [.connect(slot: 0)])
        #expect(other.acquire(2) == [.connect(slot: 1)])
        #expect(other.acquire(3) == [.connect(slot: 2)])
        #expect(other.acquire(4) == [])
    }

    @Test("The pool leases the connection with the fewest leases, each up to its limit")
    func leastUsed() {
        var pool = Self.state(2, leases: 2)
        _ = pool.acquire(1)
        _ = pool.acquire(2)
        _ = pool.connected(slot: 0)
        _ = pool.connected(slot: 1)
        #expect(pool.acquire(3) == [.lease(slot: 1, waiter: 3)])
        #expect(pool.acquire(4) == [.lease(slot: 1, waiter: 4)])
        #expect(pool.acquire(5) == [])
        #expect(pool.release(slot: 1) == [.lease(slot: 1, waiter: 5)])
    }

    @Test("The pool serves requests of one key one at a time in order, and other keys pass them")
    func keys() {
        var pool = Self.opened(1, leases: 8)
        #expect(pool.acquire(1, key: "a") == [.lease(slot: 0, waiter: 1)])
        #expect(pool.acquire(2, key: "a") == [])
        #expect(pool.acquire(3, key: "a") == [])
        #expect(pool.acquire(4, key: "b") == [.lease(slot: 0, waiter: 4)])
        #expect(pool.acquire(5) == [.lease(slot: 0, waiter: 5)])
        #expect(pool.release(slot: 0, key: "a") == [.lease(slot: 0, waiter: 2)])
        #expect(pool.release(slot: 0, key: "b") == [])
        #expect(pool.release(slot: 0, key: "a") == [.lease(slot: 0, waiter: 3)])
        #expect(pool.release(slot: 0, key: "a") == [])
        #expect(pool.acquire(6, key: "a") == [.lease(slot: 0, waiter: 6)])
    }

    @Test("A waiter of the pool that gives up makes room for the next of its key")
    func timeOutOfAKey() {
        var pool = Self.opened(1)
        _ = pool.acquire(1)
        _ = pool.acquire(2, key: "a")
        _ = pool.acquire(3, key: "a")
        _ = pool.acquire(4, key: "a")
        #expect(pool.timedOut(3) == [.refuse(waiter: 3, .timedOut)])
        #expect(pool.timedOut(2) == [.refuse(waiter: 2, .timedOut)])
        #expect(pool.timedOut(2) == [])
        #expect(pool.waiting == 1)
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 4)])
        #expect(pool.timedOut(4) == [])
    }

    @Test("The pool refuses waiters over its limit, and serves requests that need not wait")
    func full() {
        var pool = Self.opened(1, leases: 3, waiters: 2)
        #expect(pool.acquire(1, key: "a") == [.lease(slot: 0, waiter: 1)])
        #expect(pool.acquire(2, key: "a") == [])
        #expect(pool.acquire(3, key: "a") == [])
        #expect(pool.acquire(4, key: "a") == [.refuse(waiter: 4, .queueFull)])
        #expect(pool.acquire(5, key: "b") == [.lease(slot: 0, waiter: 5)])
        #expect(pool.acquire(6) == [.lease(slot: 0, waiter: 6)])
        #expect(pool.acquire(7) == [.refuse(waiter: 3, .queueFull)])
        #expect(pool.acquire(8) == [.refuse(waiter: 8, .queueFull)])
        #expect(pool.waiting == 2)
    }

    @Test("A full queue gives up the newest request behind the busiest key, and keeps the newcomer")
    func fullByKeys() {
        var pool = Self.opened(1, waiters: 3)
        for waiter in 0...3 { _ = pool.acquire(waiter, key: "a") }
        #expect(pool.acquire(4, key: "a") == [.refuse(waiter: 4, .queueFull)])
        #expect(pool.acquire(5, key: "b") == [.refuse(waiter: 3, .queueFull)])
        #expect(pool.waiting == 3)
        #expect(pool.release(slot: 0, key: "a") == [.lease(slot: 0, waiter: 5)])
        #expect(pool.release(slot: 0, key: "b") == [.lease(slot: 0, waiter: 1)])
    }

    @Test("A request that gave its place in the queue to another one frees its key")
    func evictedKey() {
        var pool = Self.opened(1, waiters: 2)
        _ = pool.acquire(0)
        for (waiter, key) in [(1, "k"), (2, "l")] { #expect(pool.acquire(waiter, key: key, share: "a") == []) }
        #expect(pool.acquire(3, share: "b") == [.refuse(waiter: 2, .queueFull)])
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 1)])
        #expect(pool.release(slot: 0, key: "k") == [.lease(slot: 0, waiter: 3)])
        #expect(pool.release(slot: 0) == [])
        #expect(pool.acquire(4, key: "l", share: "a") == [.lease(slot: 0, waiter: 4)])
    }

    @Test("The pool refuses waiters of one key over its limit, and other keys have room")
    func keyFull() {
        var pool = Self.opened(1, leases: 3, waiters: 1000)
        #expect(pool.acquire(0, key: "a") == [.lease(slot: 0, waiter: 0)])
        for waiter in 1...128 { #expect(pool.acquire(waiter, key: "a") == []) }
        #expect(pool.acquire(129, key: "a") == [.refuse(waiter: 129, .queueFull)])
        #expect(pool.acquire(130, key: "b") == [.lease(slot: 0, waiter: 130)])
    }

    @Test("The pool refuses all waiters after a failed connection, and retries with growing delays")
    func away() {
        var pool = Self.state(1)
        _ = pool.acquire(1, key: "a")
        _ = pool.acquire(2, key: "a")
        _ = pool.acquire(3)
        let actions = pool.connectFailed(slot: 0)
        #expect(actions.first == .connectLater(slot: 0, afterMs: 50))
        #expect(
            Set(actions.dropFirst().map { "\($0)" })
                == Set((1...3).map { "\(PoolState.Action.refuse(waiter: $0, .databaseAway))" })
        )
        #expect(pool.waiting == 0)
        for expected in [100, 200, 300, 300] as [UInt64] {
            #expect(pool.connectFailed(slot: 0) == [.connectLater(slot: 0, afterMs: expected)])
        }
        #expect(pool.acquire(4, key: "a") == [])
        #expect(pool.connected(slot: 0) == [.lease(slot: 0, waiter: 4)])
        #expect(pool.connectionLost(slot: 0) == [])
        #expect(pool.release(slot: 0, key: "a") == [.connectLater(slot: 0, afterMs: 50)])
    }

    @Test("The pool keeps its waiters after a failed connection while another one works")
    func partlyAway() {
        var pool = Self.state(2)
        _ = pool.acquire(1)
        _ = pool.acquire(2)
        _ = pool.connected(slot: 0)
        #expect(pool.connectFailed(slot: 1) == [.connectLater(slot: 1, afterMs: 50)])
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 2)])
    }

    @Test("The pool tries one connection at a time while the database is away, and then serves all waiters")
    func backAgain() {
        var pool = Self.state(4)
        for waiter in 0..<4 { _ = pool.acquire(waiter) }
        for slot in 0..<4 { _ = pool.connected(slot: slot) }
        for slot in 0..<4 {
            _ = pool.release(slot: slot)
            #expect(pool.connectionLost(slot: slot) == [.connectLater(slot: slot, afterMs: 50)])
        }
        for slot in 0..<3 { #expect(pool.connectFailed(slot: slot) == []) }
        #expect(pool.connectFailed(slot: 3) == [.connectLater(slot: 3, afterMs: 50)])
        #expect(pool.connectionCounts == (0, 0, 1))
        #expect(pool.acquire(10) == [])
        #expect(pool.acquire(11) == [])
        #expect(pool.connected(slot: 3) == [.lease(slot: 3, waiter: 10), .connect(slot: 0)])
        var other = Self.opened(4)
        #expect(other.acquire(20, key: "a") == [.lease(slot: 0, waiter: 20)])
        for waiter in 21...24 { #expect(other.acquire(waiter, key: "a") == []) }
    }

    @Test("The pool reopens a lost connection if it is idle, or after its last lease returns")
    func lost() {
        var pool = Self.opened(1, leases: 2)
        #expect(pool.connectionLost(slot: 0) == [.connectLater(slot: 0, afterMs: 50)])
        #expect(pool.connectionLost(slot: 0) == [])
        _ = pool.connected(slot: 0)
        _ = pool.acquire(1)
        _ = pool.acquire(2)
        #expect(pool.connectionLost(slot: 0) == [])
        #expect(pool.acquire(3) == [])
        #expect(pool.release(slot: 0) == [])
        #expect(pool.release(slot: 0) == [.connectLater(slot: 0, afterMs: 50)])
        #expect(pool.connected(slot: 0) == [.lease(slot: 0, waiter: 3)])
    }

    @Test("Closing the pool refuses all waiters")
    func close() {
        var pool = Self.opened(1)
        _ = pool.acquire(1, key: "a")
        _ = pool.acquire(2, key: "a")
        _ = pool.acquire(3, key: "b")
        #expect(pool.close() == [.refuse(waiter: 3, .closed), .refuse(waiter: 2, .closed)])
        #expect(pool.waiting == 0)
        #expect(pool.release(slot: 0, key: "a") == [])
    }
}
