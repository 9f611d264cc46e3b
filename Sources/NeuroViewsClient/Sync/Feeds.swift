#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The streams of an app: what changed, what the app may tell its user, and the presence. Each stream has one listener.
final class Feeds: Sendable {
    /// Events are in the store, too; so many wait for a listener.
    private static let eventsMax = 1000

    private struct Listeners {
        var changes: [Weak] = []
        var events: [UUID: AsyncStream<ClientEvent>.Continuation] = [:]
        /// Events of the opening, which come before anybody can listen.
        var early: [ClientEvent] = []
    }

    /// The stream has its feed. A listener that ends leaves nothing else behind.
    private struct Weak {
        weak var feed: ChangeFeed?
    }

    let presence = PresenceFeed()
    private let listeners = Guarded(Listeners())

    /// Ends the streams.
    deinit {
        listeners.withLock { listeners in
            for change in listeners.changes { change.feed?.end() }
            for continuation in listeners.events.values { continuation.finish() }
        }
    }

    /// Tells of configurations that changed. No ids: the status or the uploads did.
    func changed(_ ids: Set<UUID>) {
        let feeds = listeners.withLock { listeners in
            listeners.changes.removeAll { $0.feed == nil }
            return listeners.changes.compactMap(\.feed)
        }
        for feed in feeds { feed.add(ids) }
    }

    /// Tells of an event. With `waits`, it waits for the first listener if there is none.
    func emit(_ event: ClientEvent, waits: Bool = false) {
        let continuations = listeners.withLock { listeners in
            if waits, listeners.events.isEmpty { listeners.early.append(event) }
            return Array(listeners.events.values)
        }
        for continuation in continuations { continuation.yield(event) }
    }

    /// A stream of the changes from now on. An element has all ids since the one before.
    func changes() -> AsyncStream<ChangeSet> {
        let feed = ChangeFeed()
        listeners.withLock { $0.changes.append(Weak(feed: feed)) }
        return AsyncStream { await feed.next() }
    }

    /// A stream of the events from now on.
    func events() -> AsyncStream<ClientEvent> {
        let key = UUID()
        let (stream, continuation) = AsyncStream.makeStream(
            of: ClientEvent.self,
            bufferingPolicy: .bufferingNewest(Self.eventsMax)
        )
        continuation.onTermination = { [weak self] _ in self?.remove(key) }
        let early = listeners.withLock { listeners in
            defer { listeners.early = [] }
            listeners.events[key] = continuation
            return listeners.early
        }
        for event in early { continuation.yield(event) }
        return stream
    }

    private func remove(_ key: UUID) {
        listeners.withLock { _ = $0.events.removeValue(forKey: key) }
    }
}
