import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @testable import NeuroViewsClient
#endif

/// Carries messages between a WebSocket task of URLSession and the users of its wire.
final class SessionSocket: Sendable {
    private struct State {
        var isOpen = false
        var isReading = false
        /// Bytes of messages that the system has not taken yet.
        var unsentBytes = 0
        /// The time of the peer's last message or pong.
        var heardAt = ContinuousClock.now
        /// The user wants the closing handshake.
        var closes = false
        /// Watches for a silent peer. It ends with the socket.
        var watch: Task<Void, Never>?
    }

    let origin: Origin
    private let task: URLSessionWebSocketTask
    private let wire: ChannelWire
    private let limits: ChannelLimits
    private let state = Guarded(State())

    init(_ task: URLSessionWebSocketTask, _ wire: ChannelWire, _ origin: Origin, _ limits: ChannelLimits) {
        (self.task, self.wire, self.origin, self.limits) = (task, wire, origin, limits)
    }

    /// The task's number in its session.
    var number: Int { task.taskIdentifier }

    /// Sends the request of the upgrade.
    func begin() {
        let watch = Task { [weak self, limits] in
            try? await Task.sleep(for: .seconds(limits.openingS))
            guard !Task.isCancelled, self?.isStillOpening == true else { return }
            self?.fail(.stalled(seconds: limits.openingS))
        }
        state.withLock { $0.watch = watch }
        task.resume()
    }

    private var isStillOpening: Bool { state.withLock { !$0.isOpen } }

    // MARK: For the users

    /// Does what the users want. One call at a time takes the messages, so that they stay in order.
    func carryOut() {
        let isTooMuch = state.withLock { state in
            let orders = wire.takeOrders()
            if orders.ends {
                task.cancel()
                return false
            }
            for message in orders.messages { send(message, &state) }
            if orders.closes, !state.closes {
                state.closes = true
                task.cancel(with: .normalClosure, reason: nil)
                endSoon()
            }
            if orders.hasRoom, state.isOpen, !state.isReading {
                state.isReading = true
                task.receive { [weak self] in self?.took($0) }
            }
            return state.unsentBytes > limits.outgoingMaxBytes
        }
        if isTooMuch { end(ChannelEnd(reason: "the server reads nothing")) }
    }

    private func send(_ message: [UInt8], _ state: inout State) {
        state.unsentBytes += message.count
        task.send(.string(String(decoding: message, as: UTF8.self))) { [weak self] _ in
            self?.state.withLock { $0.unsentBytes -= message.count }
        }
    }

    /// The peer's close, or the system's report, may not come.
    private func endSoon() {
        Task { [weak self, limits] in
            try? await Task.sleep(for: limits.closing)
            self?.end(ChannelEnd())
        }
    }

    // MARK: For the session

    func opened() {
        let watch = Task { [weak self] in
            while let pause = self?.look() { try? await Task.sleep(for: pause) }
        }
        let former = state.withLock { state in
            defer { state.watch = watch }
            state.isOpen = true
            state.heardAt = .now
            return state.watch
        }
        former?.cancel()
        wire.answer(.success(.opened(SessionChannel(wire))))
        carryOut()
    }

    /// Nothing follows.
    func end(_ end: ChannelEnd) {
        wire.deliver(.ended(end))
        stopWatch()
        task.cancel()
    }

    /// The task has ended.
    func ended(_ response: URLResponse?, _ error: (any Error)?, refused: TrustProblem?) {
        let isOpen = state.withLock { $0.isOpen }
        let reason = error.map { TransportError($0, stallS: limits.openingS) } ?? .cut("the connection ended")
        if let answer = response as? HTTPURLResponse, answer.statusCode != 101, !isOpen {
            // The system drops the body of a refusal.
            wire.answer(.success(.refused(TransferAnswer(answer))))
        } else if reason == .cancelled, let refused {
            fail(.untrusted(refused))
        } else {
            fail(reason)
        }
    }

    private func fail(_ reason: TransportError) {
        wire.answer(.failure(reason))
        end(ChannelEnd(reason: reason.description))
    }

    private func took(_ result: Result<URLSessionWebSocketTask.Message, any Error>) {
        // A failure ends the task, which is reported by itself. Without the report nobody would notice: nothing is read any more.
        guard case .success(let message) = result else { return endSoon() }
        // A process that ran would have sent a ping: it was stopped, and the message may be as old as that.
        let silence = ContinuousClock.now - state.withLock { $0.heardAt }
        guard silence < limits.pingAfter + limits.patience else { return endSoon() }
        heard { $0.isReading = false }
        if case .string(let text) = message { wire.deliver(.message(Array(text.utf8))) }
        if case .data(let data) = message { wire.deliver(.message([UInt8](data))) }
        carryOut()
    }

    private func heard(_ change: (inout State) -> Void = { _ in }) {
        state.withLock { state in
            state.heardAt = .now
            change(&state)
        }
    }

    // MARK: Silence

    /// Asks a silent peer for a pong, and gives up one that stays silent. Returns the time until the next look; nil at the end.
    private func look() -> Duration? {
        guard !Task.isCancelled else { return nil }
        let silence = ContinuousClock.now - state.withLock { $0.heardAt }
        if silence < limits.pingAfter { return limits.pingAfter - silence }
        guard silence < limits.pingAfter + limits.patience else {
            end(ChannelEnd(reason: "the server is silent"))
            return nil
        }
        task.sendPing { [weak self] error in
            if error == nil { self?.heard() }
        }
        return limits.patience
    }

    private func stopWatch() {
        let watch = state.withLock { state in
            defer { state.watch = nil }
            return state.watch
        }
        watch?.cancel()
    }
}
