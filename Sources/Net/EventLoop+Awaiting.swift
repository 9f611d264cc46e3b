extension EventLoop {
    /// Runs `work` in a task of this loop and waits for its end, at most `limitMs` milliseconds. After that `work`
    /// continues alone. Call it on the loop.
    public func awaiting(forMs limitMs: UInt64, _ work: @escaping @Sendable () async -> Void) async {
        precondition(isCurrent)
        await withUnsafeContinuation { continuation in
            let wait = LoopWait(continuation)
            let timer = LoopTimer { wait.end() }
            wait.timer = timer
            schedule(timer, atMs: Monotonic.nowMs() + limitMs + 1)
            spawn {
                await work()
                self.end(wait)
            }
        }
    }

    private func end(_ wait: LoopWait) {
        precondition(isCurrent)
        if let timer = wait.timer { cancel(timer) }
        wait.end()
    }
}
