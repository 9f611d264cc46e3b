/// Events that are not on disk yet. The app adds to it from any thread, and never waits.
final class EventBuffer: Sendable {
    /// More in one second are dropped.
    static let eventsMax = 256

    private struct Content {
        /// The categories that the person agreed to, as far as this device knows. Without a store there are none.
        var granted: Set<ConsentCategory> = []
        var events: [TrackedEvent] = []
        /// True from the first event until the events are taken.
        var isWriteDue = false
    }

    private let content = Guarded(Content())

    /// True if events of that category are collected.
    func takes(_ category: ConsentCategory) -> Bool { content.withLock { $0.granted.contains(category) } }

    /// Adds an event, if its category has consent and there is room. Returns true if the caller has to have it written.
    func add(_ event: TrackedEvent) -> Bool {
        content.withLock { content in
            guard content.granted.contains(event.category), content.events.count < Self.eventsMax else { return false }
            content.events.append(event)
            defer { content.isWriteDue = true }
            return !content.isWriteDue
        }
    }

    /// Removes and returns all events.
    func takeAll() -> [TrackedEvent] {
        content.withLock { content in
            defer { (content.events, content.isWriteDue) = ([], false) }
            return content.events
        }
    }

    /// Puts events back that could not be written. The next event has them written, too.
    func putBack(_ events: [TrackedEvent]) {
        content.withLock { content in
            let kept = events.filter { content.granted.contains($0.category) }
            content.events = Array((kept + content.events).prefix(Self.eventsMax))
        }
    }

    /// Takes events of these categories from now on, and drops those of others.
    func limit(to granted: Set<ConsentCategory>) {
        content.withLock { content in
            content.granted = granted
            content.events.removeAll { !granted.contains($0.category) }
        }
    }

    /// Takes no more events of a category, and drops those that are here.
    func stop(_ category: ConsentCategory) {
        content.withLock { content in
            content.granted.remove(category)
            content.events.removeAll { $0.category == category }
        }
    }

    /// Forgets the events: they are those of another account, or of none.
    func open(_ store: Store?) {
        // A store that can't be read takes no events.
        let granted = (try? store?.grantedCategories()) ?? []
        content.withLock { $0 = Content(granted: granted) }
    }
}
