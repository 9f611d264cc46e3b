import Dispatch
import Machine
import Net
import Observability
import Synchronization

/// Reports that the process is alive while every event loop runs. A loop that hangs serves no requests, and nothing in
/// this process can repair it.
///
/// The database is not checked: a restart of the server would not bring it back.
final class Watchdog: Sendable {
    private let loops: [EventLoop]
    private let everyMs: Int
    private let alive: @Sendable () -> Void
    private let stuck: @Sendable (_ waitedMs: Int) -> Void
    private let isStopped = Atomic(false)
    private let wake = DispatchSemaphore(value: 0)

    /// From `start` on, calls `alive` about every `everyMs` on a thread of its own, or `stuck` while a loop hangs.
    init(
        loops: [EventLoop],
        everyMs: Int,
        alive: @escaping @Sendable () -> Void,
        stuck: @escaping @Sendable (_ waitedMs: Int) -> Void
    ) {
        self.loops = loops
        self.everyMs = everyMs
        self.alive = alive
        self.stuck = stuck
    }

    /// Starts a watchdog if a service manager expects it; otherwise returns nil.
    static func started(for manager: ServiceManager, loops: [EventLoop], _ log: LogWriter) -> Watchdog? {
        guard let watchdogMs = manager.watchdogMs else { return nil }
        let watchdog = Watchdog(loops: loops, everyMs: max(1, watchdogMs / 2)) {
            manager.alive()
        } stuck: { waitedMs in
            log.write(.error, "event loop stuck_ms=\(waitedMs)")
        }
        watchdog.start()
        return watchdog
    }

    /// Must be called once.
    func start() {
        BackgroundThread.start("watchdog") { [self] in
            while awaitTurns() {
                alive()
                _ = wake.wait(timeout: .now() + .milliseconds(everyMs))
            }
        }
    }

    /// Stops the reports. Must be called before the loops stop.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wake.signal()
    }

    /// Returns true when every loop has run a task, and false after `stop`.
    private func awaitTurns() -> Bool {
        let turned = DispatchSemaphore(value: 0)
        for loop in loops where !isOver { loop.spawn { turned.signal() } }
        var waitedMs = 0
        for _ in loops {
            while !isOver, turned.wait(timeout: .now() + .milliseconds(everyMs)) == .timedOut {
                waitedMs += everyMs
                stuck(waitedMs)
            }
        }
        return !isOver
    }

    private var isOver: Bool { isStopped.load(ordering: .relaxed) }
}
