import NeuroViewsJSON

/// The events of a batch that have one category. They are stored in one transaction.
struct EventPart {
    let category: ConsentCategory
    let events: [AnalyticsEvent]
    /// The digest of the whole batch. Nil if every event of the batch has an id.
    let digest: [UInt8]?

    /// The distinct names of each month's events, in the order of their first event.
    var names: [(month: String, name: String)] {
        struct Key: Hashable {
            let month: String
            let name: ByteKey
        }
        var months: [EventDay: String] = [:]
        var known: Set<Key> = []
        var names: [(month: String, name: String)] = []
        for event in events {
            let day = EventDay(of: event.occurredAt)
            let month = months[day] ?? day.monthText
            months[day] = month
            if known.insert(Key(month: month, name: ByteKey(string: event.name))).inserted {
                names.append((month, event.name))
            }
        }
        return names
    }
}
