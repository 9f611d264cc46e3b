import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Sending of events", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct AnalyticsSendingTests {
    private static let receipt = #"{"processed":1,"repeated":0,"refused":[]}"#
    private static let events = "POST /analytics/events"

    /// A server that agrees to each consent and takes each event.
    static func answer(_ request: AnswerTable.Request) -> TransferAnswer {
        switch request.name {
        case events: AnswerTable.json(200, receipt)
        case "PUT /account/consents", "GET /account/consents":
            AnswerTable.json(
                200,
                request.body.isEmpty
                    ? #"{"consents":{}}"#
                    : request.body.replacing("\"version\"", with: "\"changed_at\":null,\"version\"")
            )
        default: AnswerTable.problem(404, "not-found")
        }
    }

    private func agreed(_ table: AnswerTable, to categories: [ConsentCategory] = [.analytics]) async throws
        -> NeuroViews
    {
        let client = try await Given.client(table)
        for category in categories { try await client.setConsent(true, to: category, textVersion: "1") }
        return client
    }

    private func waiting(_ client: NeuroViews) async throws -> Int64 {
        try await client.inside { try $0.analytics?.store.eventCount() ?? -1 }
    }

    /// Tracks an event and waits until it is on disk.
    private func track(_ client: NeuroViews, _ name: String, _ category: ConsentCategory = .analytics) async throws {
        let before = try await waiting(client)
        client.track(name, ["n": 1], category: category)
        try await eventually("an event on disk") { try await waiting(client) == before + 1 }
    }

    private func bodies(_ table: AnswerTable) -> [String] {
        table.requests.filter { $0.name == Self.events }.map(\.body)
    }

    @Test("Nothing is stored or sent without consent")
    func noConsent() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await agreed(table, to: [.usageMetrics])
        client.track("tap")
        client.track("crash", category: .crashReports)
        try await track(client, "used", .usageMetrics)
        await client.sendAnalytics()
        #expect(bodies(table).count == 1)
        #expect(bodies(table)[0].contains("used") && !bodies(table)[0].contains("tap"))
        #expect(try await waiting(client) == 0)
    }

    @Test("Events are on disk a second later, and survive the process")
    func restart() async throws {
        let (table, folder) = (AnswerTable(Self.answer), Sandbox.makeFolder())
        let client = try await Given.client(table, folder: folder)
        try await client.setConsent(true, to: .analytics, textVersion: "1")
        try await track(client, "tap")
        let next = try Given.client(table, at: folder)
        next.track("again")
        try await eventually("both events on disk") { try await waiting(next) == 2 }
        await next.sendAnalytics()
        #expect(bodies(table).count == 1)
        #expect(bodies(table)[0].contains("\"tap\"") && bodies(table)[0].contains("\"again\""))
    }

    @Test("A batch whose answer is lost is repeated unchanged before others are sent")
    func lostAnswer() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await agreed(table)
        try await track(client, "first")
        table.answer { _ throws(TransportError) in throw .cut("test") }
        for _ in 0..<2 { await client.sendAnalytics() }
        #expect(bodies(table).count == 1, "a pause follows a failure")
        try await track(client, "second")
        table.answer(Self.answer)
        try await eventually("the second batch") {
            await client.sendAnalytics()
            return bodies(table).count == 3
        }
        #expect(bodies(table)[0] == bodies(table)[1])
        #expect(bodies(table)[2].contains("second") && !bodies(table)[2].contains("first"))
        #expect(try await waiting(client) == 0)
    }

    @Test("200 events are sent at once by a client that was started")
    func count() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await agreed(table)
        await client.inside { $0.core.isStarted = true }
        for number in 0..<200 { client.track("tap \(number)") }
        // After a minute they would go by themselves.
        #expect(try await happens(withinMs: 45_000) { bodies(table).count == 1 })
        #expect(Given.json(bodies(table)[0])["events"]?.array?.count == 200)
    }

    @Test("A withdrawal drops the events before the server hears of it")
    func withdrawal() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await agreed(table)
        try await track(client, "tap")
        client.track("in memory")
        table.answer { _ throws(TransportError) in throw .notConnected("test") }
        try await client.setConsent(false, to: .analytics, textVersion: "2")
        #expect(try await waiting(client) == 0)
        client.track("after")
        #expect(client.eventBuffer.takeAll().isEmpty)
        #expect(table.names.last == "PUT /account/consents")
        #expect(try await client.consents()[.analytics]?.isUnsent == true)
        table.answer(Self.answer)
        try await eventually("the word") {
            await client.sendAnalytics()
            return try await client.consents()[.analytics]?.isUnsent != true
        }
        #expect(table.requests.filter { $0.name == "PUT /account/consents" }.last?.body.contains("false") == true)
        #expect(bodies(table).isEmpty)
    }

    @Test("A withdrawal that can't be stored ends the collection all the same")
    func unstoredWithdrawal() async throws {
        let client = try await agreed(AnswerTable(Self.answer), to: [.analytics, .usageMetrics])
        client.track("tap")
        try await client.inside { try $0.openedStore().run("ALTER TABLE consent RENAME TO away") }
        await #expect(throws: ClientError.self) {
            try await client.setConsent(false, to: .analytics, textVersion: "2")
        }
        client.track("after")
        client.track("used", category: .usageMetrics)
        #expect(client.eventBuffer.takeAll().map(\.name) == ["used"])
    }

    @Test("A consent that was given without a network is sent before its events")
    func offline() async throws {
        let table = AnswerTable { _ throws(TransportError) in throw .notConnected("test") }
        let client = try await Given.client(table)
        try await client.setConsent(true, to: .analytics, textVersion: "2026-11")
        let known = try await client.consents()
        #expect(known == [.analytics: Consent(isGranted: true, textVersion: "2026-11", changedAt: nil, isUnsent: true)])
        try await track(client, "tap")
        table.answer(Self.answer)
        await client.sendAnalytics()
        #expect(table.names.suffix(2) == ["PUT /account/consents", Self.events])
        #expect(
            table.requests.suffix(2).first?.body == #"{"consents":{"analytics":{"granted":true,"version":"2026-11"}}}"#
        )
    }

    @Test("A consent that is given before a log in is sent after it")
    func beforeLogIn() async throws {
        let (table, folder) = (AnswerTable(Self.answer), Sandbox.makeFolder())
        let client = try Given.client(table, at: folder)
        await #expect(throws: ClientError.needsLogIn(nil)) { try await client.consents() }
        try await client.setConsent(true, to: .analytics, textVersion: "1")
        #expect(try await client.consents()[.analytics]?.isUnsent == true)
        try await track(client, "tap")
        #expect(table.names.isEmpty)
        _ = try await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        await client.sendAnalytics()
        #expect(table.names == ["PUT /account/consents", Self.events])
    }

    @Test("A consent that the server refuses is no consent")
    func refusedConsent() async throws {
        let table = AnswerTable { _ throws(TransportError) in AnswerTable.problem(422, "invalid-document") }
        let client = try await Given.client(table)
        let error = await #expect(throws: ClientError.self) {
            try await client.setConsent(true, to: ConsentCategory(rawValue: "ads"), textVersion: "1")
        }
        guard case .refused(let problem) = error else { throw Program.Failure("\(String(describing: error))") }
        #expect(problem.code == "invalid-document")
        #expect(!client.eventBuffer.takes(ConsentCategory(rawValue: "ads")))
        table.answer(Self.answer)
        await client.sendAnalytics()
        #expect(table.names.filter { $0 == "PUT /account/consents" }.count == 1)
    }

    @Test("403 consent-required empties the categories of the batch and stops them until the person agrees")
    func consentRequired() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await agreed(table, to: [.analytics, .usageMetrics])
        try await track(client, "tap")
        table.answer { request throws(TransportError) in
            request.name == Self.events ? AnswerTable.problem(403, "consent-required") : Self.answer(request)
        }
        await client.sendAnalytics()
        #expect(try await waiting(client) == 0)
        #expect(!client.eventBuffer.takes(.analytics))
        #expect(client.eventBuffer.takes(.usageMetrics))
        try await client.setConsent(true, to: .analytics, textVersion: "2")
        #expect(client.eventBuffer.takes(.analytics))
    }

    @Test("403 quota-exceeded keeps the batch, and is asked once a day")
    func quota() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await agreed(table)
        try await track(client, "tap")
        table.answer { _ throws(TransportError) in AnswerTable.problem(403, "quota-exceeded") }
        for _ in 0..<3 { await client.sendAnalytics() }
        #expect(bodies(table).count == 1)
        #expect(try await waiting(client) == 1)
    }

    @Test("Refused events are named to the app")
    func refusals() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await agreed(table)
        var events = client.events().makeAsyncIterator()
        client.track("", [:])
        guard case .eventsRefused(let local)? = await events.next() else { throw Program.Failure("no event") }
        #expect(local.map(\.pointer) == ["/name"])
        try await track(client, "tap")
        table.answer { _ throws(TransportError) in
            AnswerTable.json(
                200,
                #"{"processed":0,"repeated":1,"refused":[{"index":0,"pointer":"/events/0/name","detail":"other is refused"}]}"#
            )
        }
        await client.sendAnalytics()
        guard case .eventsRefused(let remote)? = await events.next() else { throw Program.Failure("no event") }
        #expect(remote == [EventRefusal(name: "tap", pointer: "/name", detail: "other is refused")])
        #expect(remote[0].description == "Event tap refused: /name other is refused")
    }

    @Test("The last of two words on a category arrives last")
    func order() async throws {
        let table = AnswerTable(Self.answer)
        let client = try await Given.client(table)
        async let first: Void = client.setConsent(true, to: .analytics, textVersion: "1")
        async let second: Void = client.setConsent(true, to: .usageMetrics, textVersion: "1")
        _ = try await (first, second)
        try await client.setConsent(false, to: .analytics, textVersion: "1")
        #expect(table.names.count == 3)
        #expect(try await client.inside { try $0.analytics?.store.unsentConsent() } == nil)
        #expect(table.requests.last?.body.contains("false") == true)
    }

    @Test("Figures of usage are asked with days and an encoded time zone")
    func usage() async throws {
        let table = AnswerTable { _ throws(TransportError) in AnswerTable.json(200, "{}") }
        let client = try await Given.client(table)
        let day = try #require(CalendarDay("2026-11-28"))
        await #expect(throws: ClientError.self) {
            try await client.usage(from: day, to: day.adding(days: 3), timeZone: "Etc/GMT+1")
        }
        #expect(table.names == ["GET /analytics/usage?start_date=2026-11-28&end_date=2026-12-01&tz=Etc%2FGMT%2B1"])
    }
}
