/// The ends of the system's tasks, between its session, which reports them on threads of its own, and those who wait.
package final class TaskEnds: Sendable {
    package typealias End = Result<TransferAnswer, TransportError>

    private struct Waiter {
        let continuation: CheckedContinuation<End, Never>
        let sent: @Sendable (Int64) -> Void
    }

    private struct State {
        var waiters: [String: Waiter] = [:]
        /// Of tasks that nobody waited for. Without them a task that ends early would be waited for forever.
        var ended: [String: End] = [:]
        var isDelivered = false
        var isAbandoned = false
        /// The end of all tasks, once the session has ended.
        var over: End?
    }

    private let state = Guarded(State())

    init() {}

    // MARK: For the session

    /// The task has ended.
    package func ended(_ label: String, _ end: End) {
        let waiter = state.withLock { state -> Waiter? in
            if let waiter = state.waiters.removeValue(forKey: label) { return waiter }
            state.ended[label] = end
            return nil
        }
        waiter?.continuation.resume(returning: end)
    }

    /// So many bytes of the task were handed to the network.
    package func sent(_ label: String, _ bytes: Int64) {
        state.withLock { $0.waiters[label]?.sent }?(bytes)
    }

    /// Everything that happened while the app slept is reported.
    package func delivered() { state.withLock { $0.isDelivered = true } }

    /// Another client of the store gets the reports from now on.
    package func abandon() {
        state.withLock { $0.isAbandoned = true }
        endAll(.failure(.cancelled))
    }

    /// The session has ended, and reports nothing any more.
    package func endAll(_ end: End) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.over = end
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.continuation.resume(returning: end) }
    }

    // MARK: For uploads

    /// A task with this label begins: the end of an earlier one does not count.
    func expect(_ label: String) { state.withLock { $0.ended[label] = nil } }

    /// Waits for the end of a task. In a cancelled task of the app, and if another client gets the reports, it is `.cancelled`, and
    /// the system goes on.
    func end(of label: String, _ sent: @escaping @Sendable (Int64) -> Void) async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state -> End? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    if let over = state.over { return over }
                    if let end = state.ended.removeValue(forKey: label) { return end }
                    state.waiters[label] = Waiter(continuation: continuation, sent: sent)
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: label) }
            waiter?.continuation.resume(returning: .failure(.cancelled))
        }
    }

    /// The labels of the tasks that are waited for.
    var awaited: Set<String> { state.withLock { Set($0.waiters.keys) } }

    /// True if another client of the store gets the reports.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// True once everything of this wake is reported.
    var isDelivered: Bool { state.withLock { $0.isDelivered } }

    /// The app may sleep again.
    func sleep() { state.withLock { $0.isDelivered = false } }
}
