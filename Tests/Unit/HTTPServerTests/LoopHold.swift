import Dispatch
import Net

/// Keeps a loop from doing anything, so that a test decides what has come before the loop looks.
final class LoopHold: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// The loop stands still when it comes to this job.
    init(_ loop: EventLoop) {
        loop.spawn { [self] in hold() }
    }

    /// Returns when the loop stands still. To be called from a thread that may block.
    func await() { reached.wait() }

    /// Lets the loop go on.
    func release() { released.signal() }

    private func hold() {
        reached.signal()
        released.wait()
    }
}
