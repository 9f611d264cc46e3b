import JSONSchema
import NeuroViewsJSON

@testable import API
@testable import CloudSync

/// A batch of events, from its bytes to the events that are stored. Input: the body of a request.
enum EventBodyTarget {
    private static let schemas = Result { try Schemas() }
    /// 2026-11-22T09:30:00Z.
    private static let times = EventTimes(now: Timestamp(seconds: 1_795_339_800), daysMax: 30, clockSkewSeconds: 300)

    static func check(_ bytes: [UInt8]) throws {
        let schemas = try schemas.get()
        let whole = try JSONParserTarget.parse(bytes, .rfc8259)
        let body: EventBody
        do {
            body = try EventBody(bytes, schemas["analytics-events.json"])
        } catch let problem as Problem {
            guard case .failure = whole else { throw BrokenProperty(description: "JSON is refused: \(problem.detail)") }
            return
        } catch is CloudSyncError {
            return
        }
        try check(body, whole)
        try check(EventBatch(body.items, body.faults, schemas["analytics-event.json"], times), of: body.items.count)
    }

    /// Each event is read as in the whole, or has a fault.
    private static func check(_ body: EventBody, _ whole: Result<JSONValue, JSONError>) throws {
        try property("a batch has 1 to 1,000 events", (1...1000).contains(body.items.count))
        for index in body.faults.keys {
            try property("a fault is that of an event", body.items.indices.contains(index))
            try property("the text stands for an event with a fault", body.items[index].string != nil)
        }
        switch whole {
        case .success(let value):
            guard let events = value["events"]?.array else { throw BrokenProperty(description: "there is no batch") }
            try property("as many events as in the whole", events.count == body.items.count)
            for index in events.indices where body.faults[index] == nil {
                try property("an event is that of the whole", body.items[index] == events[index])
            }
        case .failure(let error):
            let isLimit = error.reason == .exponentTooLarge || error.reason == .tooDeep(maxDepth: 1000)
            try property("\(error.reason) is in an event with a fault", isLimit && !body.faults.isEmpty)
        }
    }

    /// Each event is taken or refused, and a taken one can be stored.
    private static func check(_ batch: EventBatch, of count: Int) throws {
        let indexes = batch.events.map(\.index) + batch.refused.map(\.index)
        try property("each event has one verdict", indexes.sorted().elementsEqual(0..<count))
        for refusal in batch.refused {
            try property("a pointer is bounded", refusal.pointer.utf8.count <= 1000 + "/events/999".utf8.count)
        }
        for event in batch.events {
            try property("parameters are bounded", event.parameters.count <= AnalyticsEvent.parametersMaxBytes)
            try property("no name has U+0000", !event.name.utf8.contains(0))
            _ = try JSONParser.parse(event.parameters, policy: .requestBody)
        }
    }
}
