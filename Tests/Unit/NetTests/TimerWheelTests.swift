import TestSupport
import Testing

@testable import Net

@Suite("The timer wheel, in simulated time")
struct TimerWheelTests {
    private static let tickMs: UInt64 = 8
    private static let turnMs: UInt64 = 8 * 1024

    /// A wheel with a clock that the test sets, and the times of all fired timers.
    private final class Simulation {
        var wheel: TimerWheel
        var nowMs: UInt64
        var fired: [Int: [UInt64]] = [:]

        init(atMs nowMs: UInt64 = 1_000_003) {
            self.nowMs = nowMs
            wheel = TimerWheel(nowMs: nowMs)
        }

        func timer(_ id: Int) -> LoopTimer { LoopTimer { [unowned self] in fired[id, default: []].append(nowMs) } }

        /// Moves the clock like a loop: to the wheel's next wait, or by a smaller step.
        func run(untilMs endMs: UInt64, stepMaxMs: UInt64 = .max) {
            while nowMs < endMs {
                let wait = wheel.waitMs(nowMs: nowMs)
                let step = wait < 0 ? endMs - nowMs : min(max(1, UInt64(wait)), stepMaxMs)
                nowMs = min(endMs, nowMs + step)
                for timer in wheel.takeDue(nowMs: nowMs) { timer.fire(nowMs: nowMs) }
            }
        }
    }

    @Test(
        "Thousands of timers fire at most a tick late, and never early",
        arguments: [1, 5, 8, 40, .max] as [UInt64]
    )
    func deadlines(stepMaxMs: UInt64) {
        let simulation = Simulation()
        var random = SeededRandom(seed: 1)
        var deadlines: [Int: UInt64] = [:]
        for id in 0..<2000 {
            // Up to two turns of the wheel ahead, and many of them soon.
            let aheadMs = UInt64.random(in: 0..<(id % 2 == 0 ? 500 : 2 * Self.turnMs), using: &random)
            deadlines[id] = simulation.nowMs + aheadMs
            simulation.wheel.schedule(simulation.timer(id), atMs: simulation.nowMs + aheadMs)
        }
        simulation.run(untilMs: simulation.nowMs + 3 * Self.turnMs, stepMaxMs: stepMaxMs)
        #expect(simulation.fired.count == 2000)
        let stepMs = stepMaxMs == .max ? 0 : stepMaxMs
        for (id, times) in simulation.fired {
            let deadline = deadlines[id] ?? 0
            #expect(times.count == 1 && times[0] >= deadline && times[0] <= deadline + Self.tickMs + stepMs)
        }
        #expect(simulation.wheel.count == 0)
        #expect(simulation.wheel.waitMs(nowMs: simulation.nowMs) == -1)
    }

    @Test("A timer that is moved fires at its last deadline only", arguments: [100, 3000, 20000] as [UInt64])
    func moved(laterMs: UInt64) {
        let simulation = Simulation()
        let start = simulation.nowMs
        let (later, earlier) = (simulation.timer(1), simulation.timer(2))
        simulation.wheel.schedule(later, atMs: start + 50)
        simulation.wheel.schedule(later, atMs: start + laterMs)
        simulation.wheel.schedule(earlier, atMs: start + laterMs)
        simulation.wheel.schedule(earlier, atMs: start + 50)
        simulation.run(untilMs: start + laterMs + 1000)
        #expect(simulation.fired[1]?.map { ($0 - start) / Self.tickMs }.count == 1)
        #expect((start + laterMs...start + laterMs + Self.tickMs).contains(simulation.fired[1]?.first ?? 0))
        #expect(simulation.fired[2]?.count == 1)
        #expect((start + 50...start + 50 + Self.tickMs).contains(simulation.fired[2]?.first ?? 0))
    }

    @Test("A timer that is postponed repeatedly, like an idle limit, fires once in the end")
    func pushedOn() {
        let simulation = Simulation()
        let timer = simulation.timer(1)
        for _ in 0..<1000 {
            simulation.wheel.schedule(timer, atMs: simulation.nowMs + 75000)
            simulation.run(untilMs: simulation.nowMs + 100)
        }
        let last = simulation.nowMs - 100
        simulation.run(untilMs: simulation.nowMs + 100_000)
        #expect(simulation.fired[1]?.count == 1)
        #expect((last + 75000...last + 75000 + Self.tickMs).contains(simulation.fired[1]?.first ?? 0))
    }

    @Test("A timer that is set before the awaited one fires in time", arguments: [16, 100, 400] as [UInt64])
    func nearer(aheadMs: UInt64) {
        let simulation = Simulation()
        simulation.wheel.schedule(simulation.timer(1), atMs: simulation.nowMs + 500)
        _ = simulation.wheel.waitMs(nowMs: simulation.nowMs)
        let near = simulation.nowMs + aheadMs
        simulation.wheel.schedule(simulation.timer(2), atMs: near)
        simulation.run(untilMs: simulation.nowMs + 1000)
        #expect((near...near + Self.tickMs).contains(simulation.fired[2]?.first ?? 0))
    }

    @Test("A cancelled timer does not fire, and can be set again")
    func cancelled() {
        let simulation = Simulation()
        let timer = simulation.timer(1)
        simulation.wheel.cancel(timer)
        for delay in [5, 500, 30000] as [UInt64] {
            simulation.wheel.schedule(timer, atMs: simulation.nowMs + delay)
            simulation.wheel.cancel(timer)
        }
        #expect(simulation.wheel.count == 0)
        simulation.run(untilMs: simulation.nowMs + 40000)
        #expect(simulation.fired.isEmpty)
        simulation.wheel.schedule(timer, atMs: simulation.nowMs + 5)
        simulation.run(untilMs: simulation.nowMs + 40)
        #expect(simulation.fired[1]?.count == 1)
    }

    @Test("A cancelled timer leaves the others of its slot, at any place", arguments: 0..<5)
    func slotMates(cancelled: Int) {
        let simulation = Simulation()
        let timers = (0..<5).map { simulation.timer($0) }
        for timer in timers { simulation.wheel.schedule(timer, atMs: simulation.nowMs + 20) }
        simulation.wheel.cancel(timers[cancelled])
        simulation.wheel.cancel(timers[(cancelled + 2) % 5])
        simulation.run(untilMs: simulation.nowMs + 100)
        #expect(Set(simulation.fired.keys) == Set(0..<5).subtracting([cancelled, (cancelled + 2) % 5]))
    }

    @Test("A timer can cancel, move or set again another timer of the same tick")
    func sameTick() {
        let simulation = Simulation()
        let start = simulation.nowMs
        let (cancelled, moved, again) = (simulation.timer(1), simulation.timer(2), simulation.timer(3))
        let first = LoopTimer {
            simulation.wheel.cancel(cancelled)
            simulation.wheel.schedule(moved, atMs: start + 500)
            simulation.wheel.schedule(again, atMs: start)
        }
        for timer in [first, cancelled, moved, again] { simulation.wheel.schedule(timer, atMs: start + 20) }
        simulation.run(untilMs: start + 1000)
        #expect(simulation.fired[1] == nil)
        #expect(simulation.fired[2]?.count == 1)
        #expect(simulation.fired[2]?.first ?? 0 >= start + 500)
        #expect(simulation.fired[3]?.count == 1)
    }

    @Test("A deadline in the past is met at the next tick")
    func past() {
        let simulation = Simulation()
        simulation.wheel.schedule(simulation.timer(1), atMs: simulation.nowMs - 500)
        let start = simulation.nowMs
        simulation.run(untilMs: start + 100)
        #expect(simulation.fired[1]?.count == 1)
        #expect(simulation.fired[1]?.first ?? .max <= start + Self.tickMs)
    }

    @Test("All due timers fire after a pause longer than a turn, and the others stay")
    func pause() {
        let simulation = Simulation()
        let start = simulation.nowMs
        for id in 0..<2000 { simulation.wheel.schedule(simulation.timer(id), atMs: start + UInt64(id) * 50) }
        simulation.nowMs = start + 50000
        for timer in simulation.wheel.takeDue(nowMs: simulation.nowMs) { timer.fire(nowMs: simulation.nowMs) }
        #expect(Set(simulation.fired.keys).isSuperset(of: 0..<999))
        #expect(simulation.fired.keys.allSatisfy { $0 <= 1000 })
        simulation.run(untilMs: start + 110_000)
        #expect(simulation.fired.count == 2000)
        #expect(simulation.fired.values.allSatisfy { $0.count == 1 })
    }

    @Test("A timer at the end of time never fires and never traps")
    func never() {
        let simulation = Simulation()
        simulation.wheel.schedule(simulation.timer(1), atMs: .max)
        simulation.run(untilMs: simulation.nowMs + 3 * Self.turnMs)
        #expect(simulation.fired.isEmpty)
    }
}
