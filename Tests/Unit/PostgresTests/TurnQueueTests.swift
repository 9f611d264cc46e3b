import TestSupport
import Testing

@testable import Postgres

@Suite("Turns at the connections to PostgreSQL")
struct TurnQueueTests {
    private static func run(_ clients: [TurnTrial.Client], forMs durationMs: Double = 4000) -> TurnTrial {
        var trial = TurnTrial(clients)
        trial.run(forMs: durationMs)
        return trial
    }

    @Test(
        "A bystander beside a flood waits for 5 ms of PostgreSQL's work at most",
        arguments: [(400, 0.05), (100, 0.1), (400, 1.5), (100, 4), (32, 40)]
    )
    func bystander(clients: Int, costMs: Double) throws {
        // By then PostgreSQL's time for the flood is known. It asks at all phases of the flood's batches.
        let bystander = TurnTrial.Client(share: "b", costMs: 0.1, pauseMs: 9.7, firstMs: 2000)
        let trial = Self.run([bystander] + TurnTrial.Client.flood("a", clients, costMs: costMs))
        let figures = try #require(trial.figures["b"])
        #expect(figures.served > 40 && trial.refused.isEmpty)
        #expect(figures.longestMs <= 5.3, "\(figures)")
    }

    @Test("A connection carries 5 ms of expected work also while nobody waits")
    func bound() {
        var pool = PoolState(PoolState.Limits(connections: 1, leasesPerConnection: 64, waitersMax: 100))
        #expect(pool.acquire(0, share: "a") == [.connect(slot: 0)])
        _ = pool.connected(slot: 0)
        _ = pool.release(slot: 0, waiter: 0, costNs: 8_000_000)
        for id in 1...20 {
            _ = pool.acquireAtOnce(id, share: "a")
            _ = pool.release(slot: 0, waiter: id, costNs: 2_000_000)
        }
        #expect((21...30).map { pool.acquireAtOnce($0, share: "a") } == [0, 0] + Array(repeating: nil, count: 8))
    }

    @Test("A batch that takes longer than the bound is alone on its connection, and the only one of its account")
    func alone() {
        var pool = PoolState(PoolState.Limits(connections: 2, leasesPerConnection: 64, waitersMax: 100))
        #expect(pool.acquire(0, share: "a") == [.connect(slot: 0)])
        #expect(pool.connected(slot: 0) == [.lease(slot: 0, waiter: 0), .connect(slot: 1)])
        _ = pool.connected(slot: 1)
        _ = pool.release(slot: 0, waiter: 0, costNs: 8_000_000)
        for _ in 0..<4 {
            #expect(pool.acquireAtOnce(0, share: "a") == 0)
            _ = pool.release(slot: 0, waiter: 0, costNs: 8_000_000)
        }
        #expect(pool.acquireAtOnce(1, share: "a") == 0)
        #expect(pool.acquireAtOnce(2, share: "a") == nil)
        #expect(pool.acquireAtOnce(3, share: "b") == 1)
        #expect(pool.acquireAtOnce(4, share: "c") == 1)
    }

    @Test("The server's own work uses all connections, however long it takes")
    func ownWork() {
        var pool = PoolState(PoolState.Limits(connections: 2, leasesPerConnection: 1, waitersMax: 100))
        #expect(pool.acquire(0) == [.connect(slot: 0)])
        #expect(pool.connected(slot: 0) == [.lease(slot: 0, waiter: 0), .connect(slot: 1)])
        _ = pool.connected(slot: 1)
        _ = pool.release(slot: 0, costNs: 100_000_000)
        #expect(pool.acquire(1) == [.lease(slot: 0, waiter: 1)])
        #expect(pool.acquire(2) == [.lease(slot: 1, waiter: 2)])
    }

    @Test("Many accounts with the same requests get the same time, however many requests each has")
    func equalShares() {
        let clients = (0..<20).flatMap { TurnTrial.Client.flood("\($0)", $0 < 2 ? 100 : 5, costMs: 1) }
        let work = Self.run(clients).figures.values.map(\.workMs)
        #expect(work.count == 20 && (work.min() ?? 0) > 0.9 * (work.max() ?? 0), "\(work)")
    }

    @Test("Accounts take turns by the time of their batches, not by the number", .inFull, arguments: [0.5, 3, 20])
    func cost(costMs: Double) {
        let cheap = (0..<10).flatMap { TurnTrial.Client.flood("cheap \($0)", 20, costMs: 0.1) }
        let costly = (0..<10).flatMap { TurnTrial.Client.flood("costly \($0)", 20, costMs: costMs) }
        let work = Self.run(cheap + costly, forMs: 3000).figures.values.map(\.workMs)
        #expect(work.count == 20 && (work.min() ?? 0) > 0.85 * (work.max() ?? 0), "\(work)")
    }

    @Test("A connection carries 5 ms of expected work of all accounts together")
    func manyAccounts() {
        var pool = PoolState(PoolState.Limits(connections: 1, leasesPerConnection: 64, waitersMax: 100))
        _ = pool.acquire(0)
        _ = pool.connected(slot: 0)
        _ = pool.release(slot: 0)
        for round in 1...10 {
            for share in ["a", "b", "c"] {
                _ = pool.acquireAtOnce(round, share: share)
                _ = pool.release(slot: 0, waiter: round, costNs: 2_000_000)
            }
        }
        #expect(["a", "b", "c"].map { pool.acquireAtOnce(20, share: $0) } == [0, 0, nil])
    }

    @Test("A costly batch among cheap floods is served in its turn")
    func noStarvation() throws {
        let floods = (0..<10).flatMap { TurnTrial.Client.flood("\($0)", 40, costMs: 0.1) }
        let trial = Self.run([TurnTrial.Client(share: "costly", costMs: 20)] + floods)
        // A share of 11 in 4 seconds of two connections are 36 batches.
        #expect((21...60).contains(try #require(trial.figures["costly"]).served))
    }

    @Test("A single long batch costs its account at most 100 ms of others' turns")
    func longBatch() {
        var queue = TurnQueue<Int>(underWayMaxNs: 5_000_000)
        let (long, other) = (queue.number(of: "long"), queue.number(of: "other"))
        queue.end(queue.begin(long), costNs: 8_000_000_000)
        queue.append(1, to: "long")
        var before = 0
        for id in 2...10_000 {
            queue.append(id, to: "other")
            guard let next = queue.next, next == other else { break }
            queue.end(queue.removeFirst(of: next).turn, costNs: 1_000_000)
            before += 1
        }
        #expect((50...110).contains(before), "\(before)")
    }

    @Test("An account's expected time rises with a long batch at once, fourfold at most, and falls slowly")
    func rise() {
        var queue = TurnQueue<Int>(underWayMaxNs: 5_000_000)
        let number = queue.number(of: "mixed")
        let expectedNs = { (batchNs: UInt64, count: Int) in
            for _ in 0..<count { queue.end(queue.begin(number), costNs: batchNs) }
            return queue.costNs(of: number)
        }
        #expect((100_000..<101_000).contains(expectedNs(100_000, 40)))
        #expect(expectedNs(300_000, 1) == 300_000)
        #expect((249_000..<251_000).contains(expectedNs(100_000, 1)))
        #expect((100_000..<101_000).contains(expectedNs(100_000, 40)))
        #expect((400_000..<404_000).contains(expectedNs(90_000_000, 1)))
        // It is alone already.
        #expect(expectedNs(90_000_000, 4) == 10_000_000)
    }

    @Test("Time without a request is no credit for later")
    func credit() {
        var queue = TurnQueue<String>(underWayMaxNs: 5_000_000)
        for share in ["late"] + Array(repeating: "a", count: 100) {
            queue.end(queue.begin(queue.number(of: share)), costNs: 1_000_000)
        }
        for _ in 0..<10 {
            queue.append("late", to: "late")
            queue.append("a", to: "a")
        }
        let served = (0..<10).compactMap { _ in
            queue.next.map { next in
                let (share, turn) = queue.removeFirst(of: next)
                queue.end(turn, costNs: 1_000_000)
                return share
            }
        }
        #expect((4...6).contains(served.count { $0 == "late" }), "\(served)")
    }

    @Test("A full queue gives up the newest request of the largest share, and keeps the newcomer")
    func full() {
        var pool = PoolState(PoolState.Limits(connections: 1, leasesPerConnection: 1, waitersMax: 3))
        _ = pool.acquire(0)
        _ = pool.connected(slot: 0)
        for id in 1...3 { #expect(pool.acquire(id, share: "a") == []) }
        #expect(pool.acquire(4, share: "a") == [.refuse(waiter: 4, .queueFull)])
        #expect(pool.acquire(5, share: "b") == [.refuse(waiter: 3, .queueFull)])
        #expect(pool.acquire(6, share: "b") == [.refuse(waiter: 6, .queueFull)])
        #expect(pool.waiting == 3)
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 1)])
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 5)])
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 2)])
    }

    @Test("The memory for shares is bounded, and those with requests are never forgotten")
    func memory() {
        var queue = TurnQueue<Int>(underWayMaxNs: 5_000_000)
        queue.append(0, to: "waiting")
        let turn = queue.begin(queue.number(of: "busy"))
        for id in 0..<20_000 { queue.end(queue.begin(queue.number(of: "\(id)")), costNs: 1000) }
        #expect(queue.sharesCount <= TurnQueue<Int>.sharesKept)
        #expect(queue.next == queue.number(of: "waiting"))
        let busy = queue.number(of: "busy")
        queue.end(turn, costNs: 40_000_000)
        #expect(queue.costNs(of: busy) == 1_000_000)
    }

    @Test("A waiter that gives up takes no turn, and the others of its share keep their order")
    func cancelled() {
        var pool = PoolState(PoolState.Limits(connections: 1, leasesPerConnection: 1, waitersMax: 100))
        _ = pool.acquire(0)
        _ = pool.connected(slot: 0)
        for (id, share) in [(1, "a"), (2, "a"), (3, "b"), (4, "a")] { #expect(pool.acquire(id, share: share) == []) }
        #expect(pool.timedOut(1) == [.refuse(waiter: 1, .timedOut)])
        #expect(pool.timedOut(3) == [.refuse(waiter: 3, .timedOut)])
        #expect(pool.waiting == 2)
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 2)])
        #expect(pool.release(slot: 0) == [.lease(slot: 0, waiter: 4)])
        #expect(pool.release(slot: 0) == [])
    }
}
