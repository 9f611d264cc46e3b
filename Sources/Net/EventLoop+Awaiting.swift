extension EventLoop {
    /// Runs `work` in a task of this loop and waits for its end, but for so many milliseconds only: then it goes on by itself.
    /// To be called on the loop.
    public func awaiting(forMs limitMs: UInt64, _ work: @escaping @Sendable () async -> Void) async {
        precondition(isCurrent)
        await withUnsafeContinuation { continuation in
            let wait = Wait(continuation)
            let timer = LoopTimer { wait.end() }
            wait.timer = timer
            schedule(timer, atMs: Monotonic.nowMs() + limitMs + 1)
            spawn {
                await work()
                self.end(wait)
            }
        }
    }

    private func end(_ wait: Wait) {
        precondition(isCurrent)
        if let timer = wait.timer { cancel(timer) }
        wait.end()
    }
}

/// A task that goes on when the first of two things happens.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
private final class Wait: @unchecked Sendable {
    var timer: LoopTimer?
    private var continuation: UnsafeContinuation<Void, Never>?

    init(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = continuation }

    func end() {
        continuation?.resume()
        continuation = nil
        timer = nil
    }
}
