import Dispatch
import Net
import Synchronization
import TestSupport
import Testing

@testable import neuroviews_server

@Suite("The watchdog", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct WatchdogTests {
    private final class Counts: Sendable {
        let alive = Atomic(0)
        let stuck = Atomic(0)
    }

    private func hold(_ held: DispatchSemaphore, _ released: DispatchSemaphore) {
        held.signal()
        released.wait()
    }

    @Test("The watchdog reports that the loops turn, is silent while one hangs, and then resumes")
    func silence() async throws {
        try await withLoops(2) { loops in
            let counts = Counts()
            let watchdog = Watchdog(loops: loops, everyMs: 5) {
                counts.alive.add(1, ordering: .relaxed)
            } stuck: { _ in
                counts.stuck.add(1, ordering: .relaxed)
            }
            watchdog.start()
            defer { watchdog.stop() }
            try await eventually { counts.alive.load(ordering: .relaxed) > 3 }
            let (held, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // A hanging loop can't be stopped. A second signal does no harm.
            defer { released.signal() }
            loops[1].spawn { hold(held, released) }
            try await onThread { held.wait() }
            // Two more calls may be under way.
            try await eventually { counts.stuck.load(ordering: .relaxed) > 1 }
            let before = counts.alive.load(ordering: .relaxed)
            try await eventually { counts.stuck.load(ordering: .relaxed) > 10 }
            #expect(counts.alive.load(ordering: .relaxed) == before)
            released.signal()
            try await eventually { counts.alive.load(ordering: .relaxed) > before + 3 }
        }
    }
}
