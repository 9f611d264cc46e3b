import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Events and consents on disk", .blocking)
struct EventTableTests {
    private let store: Store
    private let now = Instant(seconds: 1_800_000_000)

    init() throws {
        let key = [UInt8](repeating: 7, count: 32)
        store = try Store.open(folder: Sandbox.makeFolder() + "/account", key: key, systemID: nil)
    }

    private func say(_ isGranted: Bool, _ category: ConsentCategory = .analytics, _ version: String = "1") throws {
        try store.setConsent(Store.UnsentConsent(category: category, isGranted: isGranted, version: version))
    }

    private func events(_ numbers: Range<Int>, _ category: ConsentCategory = .analytics, at: Instant? = nil)
        -> [TrackedEvent]
    {
        numbers.map { number in
            TrackedEvent(
                id: "\(category)-\(number)",
                name: "tap \(number)",
                category: category,
                parameters: number % 2 == 0 ? Array(#"{"n":\#(number)}"#.utf8) : [],
                at: at ?? now
            )
        }
    }

    private func ids(_ batch: EventBatch?) -> [String] { (batch?.events ?? []).map(\.id) }

    @Test("Events without consent are not stored")
    func consent() throws {
        try store.addEvents(events(0..<2), at: now)
        #expect(try store.eventCount() == 0)
        try say(true)
        try store.addEvents(events(0..<2) + events(0..<2, .crashReports), at: now)
        #expect(try store.eventBatch(at: now)?.events == events(0..<2))
        #expect(try store.grantedCategories() == [.analytics])
    }

    @Test("A withdrawal empties its category, also what is under way")
    func withdrawal() throws {
        try say(true)
        try say(true, .usageMetrics)
        try store.addEvents(events(0..<2) + events(0..<2, .usageMetrics), at: now)
        #expect(try store.eventBatch(at: now)?.events.count == 4)
        try say(false)
        #expect(ids(try store.eventBatch(at: now)) == ["usage_metrics-0", "usage_metrics-1"])
        #expect(try store.grantedCategories() == [.usageMetrics])
    }

    @Test("The same batch is repeated in its order until it is answered")
    func repetition() throws {
        try say(true)
        try store.addEvents(events(0..<1200), at: now)
        let first = try store.eventBatch(at: now)
        #expect(first?.events == events(0..<1000))
        try store.addEvents(events(1200..<1300), at: now)
        #expect(try store.eventBatch(at: now) == first)
        try store.endEventBatch()
        #expect(ids(try store.eventBatch(at: now)) == events(1000..<1300).map(\.id))
        try store.endEventBatch()
        #expect(try store.eventBatch(at: now) == nil)
    }

    @Test("A batch that met a full quota waits for the next day, and for no clock that was wrong")
    func quota() throws {
        try say(true)
        try store.addEvents(events(0..<2), at: now)
        let batch = try store.eventBatch(at: now)
        try store.keepEventBatchForTomorrow(at: now)
        let midnight = Instant(seconds: (now.seconds / 86400 + 1) * 86400)
        #expect(try store.eventBatch(at: midnight.adding(seconds: -1)) == nil)
        #expect(try store.eventBatch(at: midnight) == batch)
        try store.keepEventBatchForTomorrow(at: now.adding(seconds: 400 * 86400))
        #expect(try store.eventBatch(at: now) == batch)
    }

    @Test("Events are kept for 30 days, the newest 10,000")
    func age() throws {
        try say(true)
        let month: Int64 = 30 * 86400
        try store.addEvents(
            events(0..<1, at: now.adding(seconds: -month - 1)) + events(1..<2, at: now.adding(seconds: -month)),
            at: now
        )
        #expect(ids(try store.eventBatch(at: now)) == ["analytics-1"])
        #expect(try store.eventBatch(at: now.adding(seconds: 1)) == nil)
        try store.addEvents(events(2..<10_003), at: now)
        #expect(try store.eventCount() == 10_000)
        #expect(ids(try store.eventBatch(at: now)).first == "analytics-3")
    }

    @Test("The server's consents are taken, but for words that it does not know yet")
    func adoption() throws {
        try say(true)
        try say(true, .usageMetrics)
        try store.endUnsent(Store.UnsentConsent(category: .usageMetrics, isGranted: true, version: "1"))
        try store.addEvents(events(0..<1) + events(0..<1, .usageMetrics), at: now)
        let server = Consent(isGranted: false, textVersion: "2", changedAt: nil, isUnsent: false)
        try store.adopt([.analytics: server, .usageMetrics: server, .crashReports: server])
        let consents = try store.consents()
        #expect(consents[.analytics] == Consent(isGranted: true, textVersion: "1", changedAt: nil, isUnsent: true))
        #expect(consents[.usageMetrics] == server)
        #expect(consents[.crashReports] == server)
        #expect(ids(try store.eventBatch(at: now)) == ["analytics-0"])
        try store.stopCollecting([.analytics, .usageMetrics])
        #expect(try store.grantedCategories() == [.analytics])
    }

    @Test("A word that changed while it was sent stays unsent")
    func race() throws {
        try say(true)
        let sent = try #require(try store.unsentConsent())
        try say(false)
        try store.endUnsent(sent)
        try store.forgetConsent(sent)
        #expect(try store.unsentConsent() == Store.UnsentConsent(category: .analytics, isGranted: false, version: "1"))
        try say(true)
        try store.addEvents(events(0..<1), at: now)
        try store.forgetConsent(sent)
        #expect(try store.consents().isEmpty)
        #expect(try store.eventCount() == 0)
    }

    @Test("Parameters are encrypted on disk")
    func secrecy() throws {
        try say(true)
        try store.addEvents([EventBatchTests.event("tap", parameters: #"{"secret":"canary"}"#)], at: now)
        let stored = try store.row("SELECT parameters FROM event") { $0.blob(0) }
        #expect(!String(decoding: try #require(stored), as: UTF8.self).contains("canary"))
    }
}
