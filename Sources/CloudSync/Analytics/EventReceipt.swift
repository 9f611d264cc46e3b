/// The outcome of a batch of events. Each event counts in one of the three.
package struct EventReceipt: Sendable, Equatable {
    /// Number of events that are stored and counted now.
    package internal(set) var processed = 0
    /// Number of events that were stored before.
    package internal(set) var repeated = 0
    /// The rejected events in their order.
    package internal(set) var refused: [EventRefusal]
}

extension EventReceipt {
    /// Adds events that are stored; `count` of them are new.
    mutating func add(_ part: EventPart, new count: Int) {
        processed += count
        repeated += part.events.count - count
    }

    /// Adds crash reports; the first `count` are kept.
    mutating func add(_ part: EventPart, kept count: Int) {
        processed += count
        refuse(part.events.dropFirst(count).map { .beyondDay($0) })
    }

    /// Adds events of a category without consent.
    mutating func addWithoutConsent(_ part: EventPart) { refuse(part.events.map { .withoutConsent($0) }) }

    private mutating func refuse(_ more: [EventRefusal]) {
        refused = (refused + more).sorted { $0.index < $1.index }
    }

    /// Returns this receipt if the server has one of the events. Otherwise throws `.consentRequired` if consent alone
    /// is missing, and `.invalid` with each reason if not: a client must not send such a batch again.
    func unlessAllRefused() throws(CloudSyncError) -> EventReceipt {
        guard processed + repeated == 0, !refused.isEmpty else { return self }
        if refused.allSatisfy(\.isForConsent) { throw .problem(.consentRequired) }
        throw .invalid(refused.map(\.violation))
    }
}
