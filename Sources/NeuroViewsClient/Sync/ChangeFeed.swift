#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The changes for one listener. A slow one costs no more than the ids that wait for it.
final class ChangeFeed: Sendable {
    private struct State {
        /// Changes that no element had; nil for none.
        var ids: Set<UUID>?
        var listener: CheckedContinuation<ChangeSet?, Never>?
        var isEnded = false
    }

    private let state = Guarded(State())

    /// Adds ids to the next element.
    func add(_ ids: Set<UUID>) {
        let listener = state.withLock { state in
            guard !state.isEnded else { return nil as CheckedContinuation<ChangeSet?, Never>? }
            guard let listener = state.listener else {
                state.ids = (state.ids ?? []).union(ids)
                return nil
            }
            state.listener = nil
            return listener
        }
        listener?.resume(returning: ChangeSet(ids: ids))
    }

    /// The next element, which may have to be waited for; nil at the end, or in a cancelled task.
    func next() async -> ChangeSet? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isReady, ids) = state.withLock { state in
                    defer { state.ids = nil }
                    let isReady = state.isEnded || state.ids != nil
                    if !isReady { state.listener = continuation }
                    return (isReady, state.ids)
                }
                if isReady { continuation.resume(returning: ids.map { ChangeSet(ids: $0) }) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends the stream.
    func end() {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            state.isEnded = true
            return state.listener
        }
        listener?.resume(returning: nil)
    }
}
