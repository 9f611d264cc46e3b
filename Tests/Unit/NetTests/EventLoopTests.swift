import CLinux
import Glibc
import Net
import TestSupport
import Testing

@testable import Net

@Suite("An event loop", .timeLimit(.minutes(Patience.minutes(1))))
struct EventLoopTests {
    @Test("A task stays on its loop's thread across every kind of suspension")
    func staysHome() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        try await withLoops(2) { loops in
            await withTaskGroup(of: Bool.self) { group in
                for index in 0..<40 {
                    let (home, other) = (loops[index % 2], loops[(index + 1) % 2])
                    group.addTask(executorPreference: home) {
                        var stayed = home.isCurrent
                        await home.sleep(forMs: 2)
                        stayed = stayed && home.isCurrent
                        await home.yield()
                        stayed = stayed && home.isCurrent && EventLoop.current === home
                        _ = try? await pool.run { usleep(100) }
                        stayed = stayed && home.isCurrent
                        let wasElsewhere = await withTaskExecutorPreference(other) {
                            other.isCurrent && !home.isCurrent
                        }
                        return stayed && wasElsewhere && home.isCurrent
                    }
                }
                for await stayed in group { #expect(stayed) }
            }
        }
        try await onThread { pool.stop() }
    }

    @Test("Jobs sent to a loop from many threads at once all run")
    func foreignJobs() async throws {
        try await withLoops { loops in
            let ran = Counter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try? await onThread {
                            for _ in 0..<500 { loops[0].spawn { ran.add() } }
                        }
                    }
                }
            }
            try await eventually { ran.value == 4000 }
        }
    }

    @Test("Calls and tasks of one thread run on the loop in their order")
    func calls() async throws {
        try await withLoops { loops in
            let (loop, order) = (loops[0], Numbers())
            for number in 0..<50 {
                loop.call { if loop.isCurrent { order.add(2 * number) } }
                loop.spawn { order.add(2 * number + 1) }
            }
            try await eventually { order.all.count == 100 }
            #expect(order.all == Array(0..<100))
        }
    }

    @Test("Code outside the loops has no current loop")
    func outside() async throws {
        try await withLoops { loops in
            #expect(EventLoop.current == nil)
            #expect(!loops[0].isCurrent)
        }
    }

    @Test("Stopping a loop runs its ready jobs and ends its thread")
    func stop() async throws {
        let ran = Counter()
        let loop = try EventLoop(index: 7)
        weak let observed = loop
        try await onThread {
            for _ in 0..<100 { loop.spawn { ran.add() } }
            loop.stop()
        }
        #expect(ran.value == 100)
        #expect(observed?.index == 7)
    }

    @Test("Sleeps end in the order of their deadlines, never early, also after a long job")
    func sleep() async throws {
        try await withLoops { loops in
            let woken = await withTaskGroup(of: (dueMs: UInt64, wanted: UInt64, slept: UInt64).self) { group in
                for delayMs in [160, 40, 120, 0, 80] as [UInt64] {
                    group.addTask(executorPreference: loops[0]) {
                        // After this sleep, the loop's clock is behind.
                        usleep(3000)
                        let startNs = Monotonic.nowNs()
                        await loops[0].sleep(forMs: delayMs)
                        let sleptUs = (Monotonic.nowNs() - startNs) / 1000
                        return (startNs / 1_000_000 + delayMs, delayMs, sleptUs)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // Two timers that are due within a tick of the wheel may change places.
            for (first, second) in zip(woken, woken.dropFirst()) { #expect(first.dueMs <= second.dueMs + 16) }
            for (_, wanted, slept) in woken { #expect(slept >= wanted * 1000 && slept < 5_000_000) }
        }
    }

    @Test("A task that yields forever does not starve other tasks")
    func yield() async throws {
        try await withLoops { loops in
            let isDone = Counter()
            let turns = Counter()
            try await onLoop(loops[0]) {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        while isDone.value == 0 {
                            turns.add()
                            await loops[0].yield()
                        }
                    }
                    group.addTask {
                        for _ in 0..<5 { await loops[0].sleep(forMs: 3) }
                        isDone.add()
                    }
                }
            }
            #expect(turns.value > 5)
        }
    }

    @Test("Thousands of timers on a real loop fire once each, unless they are cancelled")
    func manyTimers() async throws {
        try await withLoops { loops in
            let fired = Locked<[Int: Int]>([:])
            try await onLoop(loops[0]) {
                for id in 0..<3000 {
                    let deadlineMs = Monotonic.nowMs() + UInt64(id % 100)
                    let timer = LoopTimer {
                        let isEarly = Monotonic.nowMs() < deadlineMs
                        fired.withLock { $0[id, default: 0] += isEarly ? 1000 : 1 }
                    }
                    loops[0].schedule(timer, atMs: deadlineMs)
                    if id % 3 == 0 { loops[0].cancel(timer) }
                }
            }
            try await eventually { fired.withLock { $0.count } == 2000 }
            #expect(fired.withLock { $0.allSatisfy { $0.key % 3 != 0 && $0.value == 1 } })
        }
    }

    @Test("Work on a loop is awaited until its end or a limit, and then goes on by itself")
    func awaiting() async throws {
        try await withLoops { loops in
            let (loop, done) = (loops[0], Counter())
            await loop.run {
                await loop.awaiting(forMs: 60_000) { done.add() }
                #expect(done.value == 1)
                await loop.awaiting(forMs: 1) {
                    await loop.sleep(forMs: 50)
                    done.add()
                }
                #expect(done.value == 1)
                // The work runs to its end, although no task waits for it.
                await loop.awaiting(forMs: 60_000) {
                    while done.value == 1 { await loop.yield() }
                }
                #expect(done.value == 2)
            }
        }
    }

    @Test("Patient descriptors wait for the events of all others, have a part of each round, and may become usual ones")
    func patient() async throws {
        try await withLoops { loops in
            let (loop, order) = (loops[0], Numbers())
            let parts = try await loop.run { () throws -> [Part] in
                let usual = try Part(40, loop, isPatient: false, order)
                // The first one makes the usual one ready again.
                let parts = try (0..<40).map { try Part($0, loop, isPatient: true, order, next: $0 == 0 ? usual : nil) }
                return parts + [usual]
            }
            try await eventually { order.all.count == 42 }
            #expect(order.all.first == 40 && order.all[2..<20].contains(40) && Set(order.all) == Set(0...40))
            // Descriptors with bytes are reported again.
            await loop.run {
                for part in parts[1..<40] { loop.move(part.descriptor, .changes, toPatient: false) }
                for part in parts[1..<40] { loop.move(part.descriptor, .changes, toPatient: true) }
                loop.move(parts[0].descriptor, .changes, toPatient: false)
            }
            try await eventually { order.all.count == 83 }
            #expect(order.all[42] == 0)
            await loop.run { for part in parts { loop.unregister(part.descriptor) } }
        }
    }
}

/// A ready descriptor. Notes its number at each event.
private final class Part: EventHandler, Sendable {
    let descriptor = eventfd(1, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    private let number: Int
    private let order: Numbers
    private let next: Part?

    init(_ number: Int, _ loop: EventLoop, isPatient: Bool, _ order: Numbers, next: Part? = nil) throws {
        (self.number, self.order, self.next) = (number, order, next)
        try loop.register(descriptor, .changes, isPatient: isPatient, self)
    }

    deinit { close(descriptor) }

    func ready(_ readiness: Readiness) {
        order.add(number)
        if let next { eventfd_write(next.descriptor, 1) }
    }
}

/// The numbers that were added, in order.
private final class Numbers: Sendable {
    private let numbers = Locked<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
