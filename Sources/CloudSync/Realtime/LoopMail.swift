import Net

/// Work for one loop from others: a batch a turn, however much there is.
final class LoopMail: Sendable {
    private let loop: EventLoop
    private let waiting = Locked<[@Sendable () -> Void]>([])

    init(_ loop: EventLoop) { self.loop = loop }

    /// Runs `work` on the loop, after all that was sent before.
    func send(_ work: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(work)
            return waiting.count == 1
        }
        if isFirst { loop.spawn { self.deliver() } }
    }

    private func deliver() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for work in all { work() }
    }
}
