/// Lets one task at a time do something that waits, in the order of their coming.
final class TurnQueue: Sendable {
    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct State {
        var isTaken = false
        var newest = 0
        var waiting: [(number: Int, task: Waiter)] = []

        /// Nil: the task waits. One that is cancelled gets a free turn, but waits for none.
        mutating func take(_ number: Int, _ task: Waiter) -> Bool? {
            guard isTaken else {
                isTaken = true
                return true
            }
            if Task.isCancelled { return false }
            waiting.append((number, task))
            return nil
        }

        mutating func leave(_ number: Int) -> Waiter? {
            let place = waiting.firstIndex { $0.number == number }
            return place.map { waiting.remove(at: $0).task }
        }

        mutating func give() -> Waiter? {
            if waiting.isEmpty { isTaken = false }
            return waiting.isEmpty ? nil : waiting.removeFirst().task
        }
    }

    private let state = Guarded(State())

    /// Waits for the turn. Returns false, without it, if the task is cancelled meanwhile.
    func take() async -> Bool {
        let number = state.withLock { state in
            state.newest += 1
            return state.newest
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { task in
                let isTaken = state.withLock { $0.take(number, task) }
                if let isTaken { task.resume(returning: isTaken) }
            }
        } onCancel: {
            state.withLock { $0.leave(number) }?.resume(returning: false)
        }
    }

    /// Ends the turn.
    func give() { state.withLock { $0.give() }?.resume(returning: true) }
}
