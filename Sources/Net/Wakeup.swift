/// What tasks of one loop wait for, each for some time at most. A signal wakes all that wait; when nobody does, the next wait ends at once.
///
/// `@unchecked Sendable`: `waits` and `isSet` are touched on the loop's thread only.
public final class Wakeup: @unchecked Sendable {
    private let loop: EventLoop
    private var waits: [LoopWait] = []
    private var isSet = false

    /// For tasks of that loop.
    public init(_ loop: EventLoop) { self.loop = loop }

    /// Wakes who waits. May be called from any thread.
    public func signal() {
        loop.spawn { self.wakeAll() }
    }

    /// Waits for a signal, for that many milliseconds at most. To be called on the loop.
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
