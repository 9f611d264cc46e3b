import Crypto
import JSON
import JSONSchema

/// A rejected event.
package struct EventRefusal: Sendable, Equatable {
    /// The event's index in the batch, from 0.
    package let index: Int
    /// A JSON Pointer into the request's body.
    package let pointer: String
    /// The requirement, as the end of a sentence.
    package let detail: String
}

/// The events of a request: valid ones and rejected ones.
package struct EventBatch: Sendable {
    private(set) var events: [AnalyticsEvent] = []
    private(set) var refused: [EventRefusal] = []
    /// The digest of all events, independent of the order of their members. Events without an id get ids made of it, so
    /// a retry makes the same ids. Nil if every event has an id.
    let digest: [UInt8]?

    /// Checks each item by itself, first by the schema.
    init(_ items: [JSONValue], _ schema: Schema, _ times: EventTimes) {
        events.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            do throws(EventFault) {
                if let violation = schema.violations(of: item).first {
                    throw EventFault(pointer: violation.pointer, detail: violation.detail)
                }
                events.append(try AnalyticsEvent(item, index: index, times: times))
            } catch {
                refused.append(
                    EventRefusal(index: index, pointer: "/events/\(index)\(error.pointer)", detail: error.detail)
                )
            }
        }
        let needsDigest = events.contains { $0.id == nil }
        digest = needsDigest ? SHA256.hash(JSONValue.array(items).canonical()) : nil
    }

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
