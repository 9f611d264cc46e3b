import Glibc
import Net
import TestSupport
import Testing

@Suite("The thread pool for blocking work", .timeLimit(.minutes(Patience.minutes(1))))
struct BlockingPoolTests {
    private struct Refused: Error, Equatable {}

    /// The completed jobs, in order.
    private final class Journal: Sendable {
        private let names = Locked<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    /// Blocks threads until it opens.
    private final class Gate: Sendable {
        private let state = Locked((blocked: 0, isOpen: false))
        var blocked: Int { state.withLock { $0.blocked } }
        func open() { state.withLock { $0.isOpen = true } }
        func pass() {
            state.withLock { $0.blocked += 1 }
            while !state.withLock({ $0.isOpen }) { pauseThread(ms: 1) }
        }
    }

    @Test("Blocking work runs off the loop, and its result or error returns to the loop")
    func offTheLoop() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10, nice: 5)
        try await withLoops { loops in
            let gate = Gate()
            try await onLoop(loops[0]) {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        let wasOnLoop = try? await pool.run {
                            gate.pass()
                            return EventLoop.current != nil
                        }
                        #expect(wasOnLoop == false)
                        #expect(loops[0].isCurrent)
                    }
                    group.addTask {
                        while gate.blocked == 0 { await loops[0].sleep(forMs: 1) }
                        gate.open()
                    }
                }
                await #expect(throws: Refused()) { try await pool.run { throw Refused() } }
            }
        }
        try await onThread { pool.stop() }
    }

    @Test("A job over the queue's limit is refused at once, and waiting jobs are done, also after a stop")
    func bounded() async throws {
        let pool = try BlockingPool(threads: 2, queueMax: 3)
        let gate = Gate()
        let done = Counter()
        let tasks = (0..<2).map { _ in
            Task {
                try await pool.run {
                    gate.pass()
                    done.add()
                }
            }
        }
        try await eventually { gate.blocked == 2 }
        let refused = Counter()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do {
                        try await pool.run { _ = done.add() }
                        return true
                    } catch is BlockingPool.Full {
                        // At the seventh refusal, the three other jobs certainly wait.
                        if refused.add() == 7 { gate.open() }
                        return false
                    } catch { return false }
                }
            }
            #expect(await group.reduce(into: 0) { $0 += $1 ? 1 : 0 } == 3)
        }
        for task in tasks { try await task.value }
        #expect(done.value == 5)
        try await onThread { pool.stop() }
        await #expect(throws: BlockingPool.Full.self) { try await pool.run {} }
    }

    @Test("A full queue refuses the newest job of the largest share in favour of another share")
    func evicts() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 2)
        let gate = Gate()
        let first = Task { try await pool.run { gate.pass() } }
        try await eventually { gate.blocked == 1 }
        let refused = Counter()
        let waiting = (0..<2).map { _ in
            Task {
                do { try await pool.run(of: ["a"]) {} } catch is BlockingPool.Full { refused.add() }
            }
        }
        try await eventually { pool.waitingCount == 2 }
        let other = Task { try await pool.run(of: ["b"]) {} }
        try await eventually { refused.value == 1 }
        gate.open()
        for task in waiting + [first, other] { try await task.value }
        #expect(refused.value == 1)
        try await onThread { pool.stop() }
    }

    @Test("Abandoned blocking work is done last and gives way to new work")
    func unwanted() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 3)
        let gate = Gate()
        let done = Journal()
        let first = Task { try await pool.run { gate.pass() } }
        try await eventually { gate.blocked == 1 }
        let client = Presence()
        func add(_ name: String, isWanted: @escaping @Sendable () -> Bool) -> Task<Void, any Error> {
            Task { try await pool.run(isWanted: isWanted) { done.note(name) } }
        }
        var tasks = [first]
        for number in 1...2 {
            tasks.append(add("gone") { client.isHere })
            try await eventually { pool.waitingCount == number }
        }
        tasks.append(add("wanted") { true })
        try await eventually { pool.waitingCount == 3 }
        client.leave()
        gate.open()
        for task in tasks { try await task.value }
        #expect(done.all == ["wanted", "gone", "gone"])
        try await onThread { pool.stop() }
    }
}
