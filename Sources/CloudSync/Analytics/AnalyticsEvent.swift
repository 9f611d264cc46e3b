import JSONSchema
import NeuroViewsJSON

/// An event of a client, as it is stored.
struct AnalyticsEvent {
    /// The name that counts all names beyond the limit.
    static let otherName = "other"
    /// Limit of the compact JSON of an event's parameters.
    static let parametersMaxBytes = 2048

    /// The event's index in the batch.
    let index: Int
    let category: ConsentCategory
    /// The client's id, if it has sent one.
    let id: String?
    let occurredAt: Timestamp
    let name: String
    /// Compact JSON; numbers as they were sent.
    let parameters: [UInt8]

    /// Takes an event that its schema accepts. Throws other faults, with a pointer into the event.
    init(_ value: JSONValue, index: Int, times: EventTimes) throws(EventFault) {
        guard let name = value["name"]?.string, let text = value["timestamp"]?.string else {
            throw EventFault(pointer: "", keyword: "required", detail: "must have name and timestamp")
        }
        guard let occurredAt = Timestamp(text) else {
            throw EventFault(pointer: "/timestamp", keyword: "format", detail: "must be \(Format.dateTime.phrase)")
        }
        try times.check(occurredAt)
        guard name != Self.otherName else {
            throw EventFault(pointer: "/name", keyword: "not", detail: "must not be \"other\", which is reserved")
        }
        self.index = index
        category = value["category"]?.string.flatMap { ConsentCategory(rawValue: $0) } ?? .analytics
        self.name = name
        self.occurredAt = occurredAt
        id = value["id"]?.string
        parameters = value["parameters"]?.serialized() ?? Array("{}".utf8)
        guard parameters.count <= Self.parametersMaxBytes else {
            throw EventFault(
                pointer: "/parameters",
                keyword: "maxLength",
                detail:
                    "must have at most \(Self.parametersMaxBytes) bytes without white space, has \(parameters.count)"
            )
        }
    }
}

/// The valid times of a batch's events.
struct EventTimes {
    let now: Timestamp
    let daysMax: Int
    let clockSkewSeconds: Int

    /// The first valid time.
    var start: Timestamp { Timestamp(microseconds: now.microseconds - daysMax * EventDay.microseconds) }
    /// The last valid time.
    var end: Timestamp { Timestamp(microseconds: now.microseconds + clockSkewSeconds * 1_000_000) }

    func check(_ time: Timestamp) throws(EventFault) {
        if time < start {
            let detail = "must be at most \(daysMax) days ago"
            throw EventFault(pointer: "/timestamp", keyword: "minimum", detail: detail)
        }
        if time > end {
            let detail = "must be at most \(clockSkewSeconds) s ahead of the server's clock, which is \(now.text)"
            throw EventFault(pointer: "/timestamp", keyword: "maximum", detail: detail)
        }
    }
}
