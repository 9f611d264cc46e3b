#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Commands of other devices, and the states that this one tells.
extension NeuroViews {
    /// A command has come: the app gets it once, and none that nobody would answer.
    func receive(_ arrived: ArrivedCommand, at arrival: ContinuousClock.Instant) {
        let deadline = arrival + .milliseconds(arrived.timeoutMs)
        switch realtime.commands.arrive(arrived.id) {
        case .underWay: return
        case .answered(let answer): send(answer, to: arrived.id, deadline)
        case .new:
            // It has waited for this device too long: its sender knows that already.
            guard deadline > .now else { return }
            let command = ReceivedCommand(arrived, at: arrival) { [weak self] answer in
                await self?.end(arrived.id, answer, deadline)
            }
            if commandFeed.give(command) { return }
            end(arrived.id, .noListener, deadline)
        }
    }

    /// The app has carried a command out, or will not.
    private func end(_ id: UUID, _ answer: CommandAnswer, _ deadline: ContinuousClock.Instant) {
        guard realtime.commands.answer(id, answer) else { return }
        send(answer, to: id, deadline)
    }

    private func send(_ answer: CommandAnswer, to id: UUID, _ deadline: ContinuousClock.Instant) {
        let message = RealtimeText.result(answer, to: id)
        // The outcome counts, also if its value is too long to be sent.
        let isTooLong = message.count > RealtimeText.maxBytes
        realtime.send(
            result: isTooLong ? RealtimeText.result(answer.bare, to: id) : message,
            of: id,
            deadline: deadline
        )
    }

    /// The server has not taken a message. The outcome of a command is sent again: its database may be away for a moment.
    func refused(_ problem: Problem, replyTo id: UUID?) {
        let mayPass = problem.status == 429 || problem.status >= 500
        guard let id, mayPass, realtime.keepsResult(of: id) else { return feeds.emit(.realtimeRefused(problem)) }
        Task { [weak self] in
            try? await Task.sleep(for: Realtime.resultPause)
            await self?.sendResultAgain(id)
        }
    }

    private func sendResultAgain(_ id: UUID) async { realtime.sendAgain(id) }

    /// Sends the states that have changed; those that change soon afterwards go together.
    func tellStates() {
        guard let channel = realtime.channel, !realtime.isPausing else { return }
        let changed = realtime.own.takeChanged()
        if changed.isEmpty { return }
        for message in changed { channel.send(message) }
        realtime.isPausing = true
        Task { [weak self] in
            try? await Task.sleep(for: Realtime.statePause)
            await self?.endStatePause()
        }
    }

    private func endStatePause() async {
        realtime.isPausing = false
        tellStates()
    }
}

extension CommandAnswer {
    /// The answer without its value.
    fileprivate var bare: CommandAnswer {
        switch self {
        case .done: .done()
        case .failed: .failed()
        case .refused: .refused()
        }
    }
}
