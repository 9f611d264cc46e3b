import Net
import TestSupport
import Testing

struct WakeupTests {
    @Test("A wakeup's signal wakes all waiters, from any thread")
    func all() async throws {
        try await withLoops { loops in
            let wakeup = Wakeup(loops[0])
            let waiting = Counter()
            let tasks = (0..<3).map { _ in
                loops[0].spawn {
                    waiting.add()
                    await wakeup.wait(forMs: 3_600_000)
                }
            }
            // The jobs of a loop run one after the other, so each counted task waits before the next signal.
            try await eventually { waiting.value == 3 }
            wakeup.signal()
            for task in tasks { await task.value }
        }
    }

    @Test("A wakeup's signal without a waiter ends the next wait, and only that one")
    func early() async throws {
        try await withLoops { loops in
            let wakeup = Wakeup(loops[0])
            wakeup.signal()
            wakeup.signal()
            await loops[0].spawn {
                await wakeup.wait(forMs: 3_600_000)
                await wakeup.wait(forMs: 1)
            }.value
        }
    }
}
