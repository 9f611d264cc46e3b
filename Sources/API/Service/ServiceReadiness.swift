import CloudSync
import Net

/// The readiness to serve requests. The database is asked once a second at most, because anybody may ask.
package final class ServiceReadiness: Sendable {
    private struct State {
        var answer: Answer?
        /// The time of the question without an answer yet.
        var askedMs: UInt64?
    }

    private struct Answer {
        /// The reason against serving; nil: requests can be served.
        let missing: String?
        let atMs: UInt64
    }

    private static let keptMs: UInt64 = 1000
    /// A balancer's check gives up after some seconds.
    private static let slowMs: UInt64 = 2000
    private static let pauseMs: UInt64 = 10

    private let ask: @Sendable () async -> String?
    private let nowMs: @Sendable () -> UInt64
    private let pause: @Sendable () async -> Void
    private let state = Locked(State())

    /// `ask` returns the reason against serving, or nil. `pause` replaces the sleep between two looks at the answer to another request's question.
    package init(
        nowMs: @escaping @Sendable () -> UInt64 = Monotonic.nowMs,
        pause: (@Sendable () async -> Void)? = nil,
        _ ask: @escaping @Sendable () async -> String?
    ) {
        self.ask = ask
        self.nowMs = nowMs
        self.pause = pause ?? { await EventLoop.current?.sleep(forMs: Self.pauseMs) }
    }

    /// Throws `databaseUnavailable` if requests can't be served.
    func check() async throws {
        if let reason = await missing() { throw CloudSyncError.databaseUnavailable(reason: reason) }
    }

    private enum Step {
        case known(String?)
        case ask
        case wait
    }

    /// An answer is kept for a second. After that the first request asks the database, and the others wait for its answer.
    private func missing() async -> String? {
        while true {
            switch nextStep() {
            case .known(let missing): return missing
            case .ask: return await askNow()
            case .wait: await pause()
            }
        }
    }

    private func nextStep() -> Step {
        let now = nowMs()
        return state.withLock { state in
            if let answer = state.answer, now < answer.atMs + Self.keptMs { return .known(answer.missing) }
            guard let askedMs = state.askedMs else {
                state.askedMs = now
                return .ask
            }
            return now < askedMs + Self.slowMs ? .wait : .known("the database has not answered for \(Self.slowMs) ms")
        }
    }

    private func askNow() async -> String? {
        let missing = await ask()
        let now = nowMs()
        state.withLock { $0 = State(answer: Answer(missing: missing, atMs: now), askedMs: nil) }
        return missing
    }
}
