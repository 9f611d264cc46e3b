import JSONSchema
import NeuroViewsCrypto
import NeuroViewsJSON

/// The events of a request: valid ones and rejected ones.
package struct EventBatch: Sendable {
    private(set) var events: [AnalyticsEvent] = []
    private(set) var refused: [EventRefusal] = []
    /// The digest of all events, independent of the order of their members. Events without an id get ids made of it, so
    /// a retry makes the same ids. Nil if every event has an id.
    private let digest: [UInt8]?

    /// Checks each item by itself, first by the schema. An item with one of `faults`, by its index, is rejected for it.
    init(_ items: [JSONValue], _ faults: [Int: JSONError], _ schema: Schema, _ times: EventTimes) {
        events.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            do throws(EventFault) {
                if let fault = faults[index] { throw EventFault(fault) }
                if let violation = schema.violations(of: item).first {
                    throw EventFault(
                        pointer: violation.pointer,
                        keyword: violation.keyword,
                        detail: violation.detail
                    )
                }
                events.append(try AnalyticsEvent(item, index: index, times: times))
            } catch {
                refused.append(EventRefusal(error, at: index))
            }
        }
        let needsDigest = events.contains { $0.id == nil }
        digest = needsDigest ? SHA256.hash(JSONValue.array(items).canonical()) : nil
    }

    /// The valid events by their categories, in the order in which they are stored.
    var parts: [EventPart] {
        ConsentCategory.inOrderOfBatch.compactMap { category in
            let own = events.filter { $0.category == category }
            return own.isEmpty ? nil : EventPart(category: category, events: own, digest: digest)
        }
    }
}
