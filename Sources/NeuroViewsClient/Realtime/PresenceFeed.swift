#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The streams of those who watch the presence. A slow listener gets the newest one.
final class PresenceFeed: Sendable {
    private struct State {
        var newest: Presence?
        var listeners: [UUID: AsyncStream<Presence>.Continuation] = [:]
    }

    private let state = Guarded(State())

    /// Ends the streams.
    deinit { state.withLock { state in for listener in state.listeners.values { listener.finish() } } }

    /// A stream that begins with what is known.
    func watch() -> AsyncStream<Presence> {
        let key = UUID()
        let (stream, listener) = AsyncStream.makeStream(of: Presence.self, bufferingPolicy: .bufferingNewest(1))
        listener.onTermination = { [weak self] _ in self?.remove(key) }
        let newest = state.withLock { state in
            state.listeners[key] = listener
            return state.newest
        }
        if let newest { listener.yield(newest) }
        return stream
    }

    /// Shows a presence that differs from the one before.
    func show(_ presence: Presence) {
        let listeners = state.withLock { state in
            guard state.newest != presence else { return [AsyncStream<Presence>.Continuation]() }
            state.newest = presence
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(presence) }
    }

    /// Nobody knows any more: there is no link, or the account is another one.
    func forget() {
        let listeners = state.withLock { state in
            let isEmpty = (state.newest ?? Presence()) == Presence()
            state.newest = nil
            return isEmpty ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(Presence()) }
    }

    private func remove(_ key: UUID) {
        state.withLock { _ = $0.listeners.removeValue(forKey: key) }
    }
}
