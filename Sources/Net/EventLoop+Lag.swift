extension EventLoop {
    /// Tells `note` again and again how late the loop came to a timer, in nanoseconds: how long whatever is ready has to wait
    /// for its turn. Called on the loop's thread, as is this.
    public func watchLag(everyMs: UInt64, _ note: @escaping (UInt64) -> Void) {
        precondition(isCurrent)
        // The wheel takes a timer up at the end of its tick: the last millisecond of one is met exactly.
        let deadlineMs = (Monotonic.nowMs() + everyMs) / TimerWheel.tickMs * TimerWheel.tickMs + TimerWheel.tickMs - 1
        let timer = LoopTimer { [weak self] in
            let dueNs = (deadlineMs + 1) * 1_000_000
            note(max(Monotonic.nowNs(), dueNs) - dueNs)
            self?.watchLag(everyMs: everyMs, note)
        }
        schedule(timer, atMs: deadlineMs)
    }
}
