import Net

/// The connections that a listener's handler has begun and ended.
final class Served: Sendable {
    private struct State {
        var open = 0
        var failure: (any Error)?
    }

    private let state = Locked(State())

    var isDone: Bool { state.withLock { $0.open == 0 } }
    var failure: (any Error)? { state.withLock { $0.failure } }
    func begin() { state.withLock { $0.open += 1 } }
    func end() { state.withLock { $0.open -= 1 } }
    func note(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }
}
