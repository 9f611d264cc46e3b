import NeuroViewsJSON

/// Events that are sent together: the same ones in the same order, until they are answered.
struct EventBatch: Equatable {
    static let eventsMax = 1000
    /// The server takes 1 MiB.
    private static let bodyMaxBytes = 900 << 10
    private static let begin = Array(#"{"events":["#.utf8)
    private static let end = Array("]}".utf8)

    private(set) var events: [TrackedEvent] = []
    private var texts: [UInt8] = []

    /// The body of the request.
    var body: [UInt8] { Self.begin + texts + Self.end }

    /// True if the event may be added.
    func hasRoom(for event: TrackedEvent) -> Bool {
        let bytes = Self.begin.count + texts.count + 1 + event.text.count + Self.end.count
        return events.count < Self.eventsMax && bytes <= Self.bodyMaxBytes
    }

    mutating func add(_ event: TrackedEvent) {
        if !events.isEmpty { texts.append(UInt8(ascii: ",")) }
        texts += event.text
        events.append(event)
    }
}
