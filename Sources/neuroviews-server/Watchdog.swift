import Dispatch
import FoundationEssentials
import Glibc
import Net
import Synchronization

/// Says again and again that the process is alive, as long as every event loop turns. A loop that hangs answers nobody, and
/// nothing in this process can mend it.
///
/// The database is not asked: it comes back without a restart of the server, or doesn't come back with one.
final class Watchdog: Sendable {
    private let loops: [EventLoop]
    private let everyMs: Int
    private let alive: @Sendable () -> Void
    private let stuck: @Sendable (_ waitedMs: Int) -> Void
    private let isStopped = Atomic(false)
    private let wake = DispatchSemaphore(value: 0)

    /// Calls `alive` about every `everyMs`, on a thread of its own, from `start` on, and `stuck` instead while a loop does not
    /// turn.
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

    /// For a process that a service manager watches; nil where none does.
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

    /// To be called once.
    func start() {
        BackgroundThread.start("watchdog") { [self] in
            while awaitTurns() {
                alive()
                _ = wake.wait(timeout: .now() + .milliseconds(everyMs))
            }
        }
    }

    /// Says nothing any more. Before the loops are stopped.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wake.signal()
    }

    /// Returns when each loop has done something, with false when it is over.
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
