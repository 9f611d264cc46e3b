import Crypto
import JSON
import JSONSchema

/// An event that is not taken.
public struct EventRefusal: Sendable, Equatable {
    /// Its place in the batch, counted from 0.
    public let index: Int
    /// A JSON Pointer into the request's body.
    public let pointer: String
    /// What is asked for, as the end of a sentence.
    public let detail: String
}

/// The events of a request: those to store, and those that are refused.
public struct EventBatch: Sendable {
    private(set) var events: [AnalyticsEvent] = []
    private(set) var refused: [EventRefusal] = []
    /// Of all events as they came, whatever the order of their members. Events without an id get theirs of it, so that the batch may come
    /// again. Nil where every event has an id.
    let digest: [UInt8]?

    /// Judges each item for itself: by the schema of an event first.
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

    /// Each name that the events of a month have, in the order in which they first come.
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
