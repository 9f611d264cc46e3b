/// A signal for tasks of one loop, with limited waits. A signal wakes all waiting tasks; without any, the next wait
/// ends at once.
///
/// `@unchecked Sendable`: `waits` and `isSet` are used only on the loop's thread.
public final class Wakeup: @unchecked Sendable {
    private let loop: EventLoop
    private var waits: [LoopWait] = []
    private var isSet = false

    /// Makes a signal for tasks of this loop.
    public init(_ loop: EventLoop) { self.loop = loop }

    /// Wakes all waiting tasks. Can be called from any thread.
    public func signal() {
        loop.spawn { self.wakeAll() }
    }

    /// Waits for a signal, at most `limitMs` milliseconds. Call it on the loop.
    public func wait(forMs limitMs: UInt64) async {
        precondition(loop.isCurrent)
        if isSet {
            isSet = false
            return
        }
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let wait = LoopWait(continuation)
            let timer = LoopTimer { [weak self] in self?.end(wait) }
            wait.timer = timer
            waits.append(wait)
            loop.schedule(timer, atMs: Monotonic.nowMs() + limitMs + 1)
        }
    }

    private func wakeAll() {
        if waits.isEmpty { isSet = true }
        for wait in waits { end(wait) }
    }

    private func end(_ wait: LoopWait) {
        waits.removeAll { $0 === wait }
        if let timer = wait.timer { loop.cancel(timer) }
        wait.end()
    }
}
