extension EventLoop {
    /// Repeatedly calls `note` with the lag of a timer, in nanoseconds. That is the time that ready events wait for
    /// their turn. Call it on the loop; `note` runs there.
    public func watchLag(everyMs: UInt64, _ note: @escaping (UInt64) -> Void) {
        precondition(isCurrent)
        // The wheel fires a timer at the end of its tick. Only a tick's last millisecond is exact.
        let deadlineMs = (Monotonic.nowMs() + everyMs) / TimerWheel.tickMs * TimerWheel.tickMs + TimerWheel.tickMs - 1
        let timer = LoopTimer { [weak self] in
            let dueNs = (deadlineMs + 1) * 1_000_000
            note(max(Monotonic.nowNs(), dueNs) - dueNs)
            self?.watchLag(everyMs: everyMs, note)
        }
        schedule(timer, atMs: deadlineMs)
    }
}
