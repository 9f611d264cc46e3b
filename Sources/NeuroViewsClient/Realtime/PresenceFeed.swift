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
        // Under the lock, or what is forgotten meanwhile would come last.
        state.withLock { state in
            state.listeners[key] = listener
            if let newest = state.newest { listener.yield(newest) }
        }
        return stream
    }

    /// Shows a presence that differs from the one before.
    func show(_ presence: Presence) {
        state.withLock { state in
            guard state.newest != presence else { return }
            state.newest = presence
            for listener in state.listeners.values { listener.yield(presence) }
        }
    }

    /// Nobody knows any more: there is no link, or the account is another one.
    func forget() {
        state.withLock { state in
            let isEmpty = (state.newest ?? Presence()) == Presence()
            state.newest = nil
            if isEmpty { return }
            for listener in state.listeners.values { listener.yield(Presence()) }
        }
    }

    private func remove(_ key: UUID) {
        state.withLock { _ = $0.listeners.removeValue(forKey: key) }
    }
}
