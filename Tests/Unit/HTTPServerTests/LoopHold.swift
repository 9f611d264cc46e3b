import Dispatch
import Net

/// Stops a loop, so that a test decides which events arrive before the loop continues.
final class LoopHold: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// Stops the loop when it comes to this job.
    init(_ loop: EventLoop) {
        loop.spawn { [self] in hold() }
    }

    /// Returns when the loop has stopped. The calling thread blocks.
    func await() { reached.wait() }

    /// Lets the loop continue.
    func release() { released.signal() }

    private func hold() {
        reached.signal()
        released.wait()
    }
}
