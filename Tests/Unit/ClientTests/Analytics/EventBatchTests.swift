import NeuroViewsJSON
import NeuroViewsRules
import Testing

@testable import NeuroViewsClient

@Suite("Events on their way")
struct EventBatchTests {
    static func event(
        _ name: String,
        _ category: ConsentCategory = .analytics,
        id: String = "0b0f5f2e-7a55-4d5c-9a7e-0d6f0e3a2c11",
        parameters: String = ""
    ) -> TrackedEvent {
        TrackedEvent(
            id: id,
            name: name,
            category: category,
            parameters: Array(parameters.utf8),
            at: Instant(seconds: 1_800_000_000, microseconds: 250_000)
        )
    }

    private func batch(_ events: [TrackedEvent]) -> EventBatch {
        var batch = EventBatch()
        for event in events where batch.hasRoom(for: event) { batch.add(event) }
        return batch
    }

    @Test("A batch has its events in their order, with id, time and category")
    func body() {
        let batch = batch([Self.event("tap", parameters: #"{"n":1.50}"#), Self.event("\"", .crashReports, id: "x")])
        #expect(
            String(decoding: batch.body, as: UTF8.self) == """
                {"events":[{"name":"tap","timestamp":"2027-01-15T08:00:00.25Z","category":"analytics",\
                "id":"0b0f5f2e-7a55-4d5c-9a7e-0d6f0e3a2c11","parameters":{"n":1.50}},\
                {"name":"\\"","timestamp":"2027-01-15T08:00:00.25Z","category":"crash_reports","id":"x"}]}
                """
        )
    }

    @Test("A batch has at most 1,000 events and 900 KiB")
    func limits() {
        #expect(batch(Array(repeating: Self.event("a"), count: 1001)).events.count == 1000)
        let large = Self.event("a", parameters: "\"" + String(repeating: "x", count: 2046) + "\"")
        let full = batch(Array(repeating: large, count: 1000))
        #expect(full.body.count <= 900 << 10)
        #expect(full.body.count + large.text.count + 1 > 900 << 10)
        #expect(full.events.count < 1000)
    }

    @Test("An event that no server takes is not sent")
    func faults() {
        #expect(TrackedEvent.fault("tap", [:]) == nil)
        #expect(TrackedEvent.fault(String(repeating: "é", count: 100), [:]) == nil)
        #expect(TrackedEvent.fault("", [:])?.pointer == "/name")
        let long = TrackedEvent.fault(String(repeating: "é", count: 101), [:])
        #expect(long?.pointer == "/name" && long?.name.unicodeScalars.count == 100)
        // {"a":"…"}
        func parameters(_ bytes: Int) -> NeuroViewsClient.JSONValue.Object {
            ["a": .string(String(repeating: "x", count: bytes - 8))]
        }
        #expect(TrackedEvent.fault("tap", parameters(2048)) == nil)
        #expect(TrackedEvent.fault("tap", parameters(2049))?.pointer == "/parameters")
        let deep = (0..<60).reduce(NeuroViewsClient.JSONValue.null) { value, _ in .array([value]) }
        #expect(TrackedEvent.fault("tap", ["a": deep])?.pointer == "/parameters")
    }

    @Test("Events without consent, and more than 256 in one second, are not collected")
    func buffer() {
        let buffer = EventBuffer()
        #expect(!buffer.add(Self.event("early")))
        #expect(buffer.takeAll().isEmpty)
        buffer.limit(to: [.analytics])
        #expect(!buffer.takes(.crashReports) && buffer.takes(.analytics))
        #expect(!buffer.add(Self.event("crash", .crashReports)))
        #expect(buffer.add(Self.event("0")))
        for number in 1...300 { #expect(!buffer.add(Self.event("\(number)"))) }
        #expect(buffer.takeAll().map(\.name) == (0..<256).map { "\($0)" })
        #expect(buffer.add(Self.event("next")))
    }

    @Test("A withdrawal drops the events in memory, also those that are put back")
    func withdrawal() {
        let buffer = EventBuffer()
        buffer.limit(to: [.analytics, .usageMetrics])
        let events = [Self.event("a"), Self.event("b", .usageMetrics)]
        for event in events { _ = buffer.add(event) }
        buffer.limit(to: [.usageMetrics])
        #expect(buffer.takeAll().map(\.name) == ["b"])
        _ = buffer.add(Self.event("c", .usageMetrics))
        buffer.putBack(events)
        #expect(buffer.takeAll().map(\.name) == ["b", "c"])
        _ = buffer.add(Self.event("d", .usageMetrics))
        buffer.open(nil)
        #expect(buffer.takeAll().isEmpty && !buffer.takes(.usageMetrics))
    }
}
