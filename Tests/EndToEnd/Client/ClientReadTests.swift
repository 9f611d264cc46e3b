import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Reads and analytics of apps", .blocking, .timeLimit(.minutes(Patience.minutes(3))))
struct ClientReadTests {
    private let device: TestSupport.Device
    private let client: NeuroViews

    init() async throws {
        let server = try Shared.server.get()
        device = try TestSupport.Device.new(server.client)
        var options = Options()
        let folder = Sandbox.makeFolder()
        options.folder = URL(fileURLWithPath: folder + "/data")
        options.secrets = FileSecretStore(folder: folder + "/secrets")
        client = try NeuroViews(server: try #require(URL(string: "http://127.0.0.1:\(server.client.port)")), options)
        _ = try await client.logIn(with: .password(email: device.email, password: TestSupport.Device.password))
    }

    private func stored() throws -> [String] {
        try Shared.server.get().sql(
            "SELECT category, count(*) FROM analytics_events WHERE user_id = '\(device.userID)' GROUP BY 1 ORDER BY 1"
        )
    }

    private func awaitEvents(_ count: Int64) async throws {
        try await eventually("\(count) events") { try await waiting() == count }
    }

    private func waiting() async throws -> Int64 { try await Self.waiting(client) }

    private static func waiting(_ client: isolated NeuroViews) throws -> Int64 {
        try client.analytics?.store.eventCount() ?? -1
    }

    @Test("An app's events are counted once with consent, and a withdrawal deletes them")
    func events() async throws {
        #expect(try await client.consents()[.analytics]?.isGranted == false)
        client.track("early")
        try await client.setConsent(true, to: .analytics, textVersion: "2026-11")
        for number in 0..<220 { client.track("tap \(number % 3)", ["n": .number(.init(Int64(number)))]) }
        client.track("crash", category: .crashReports)
        try await awaitEvents(220)
        await client.sendAnalytics()
        #expect(try stored() == ["analytics|220"])
        #expect(try await waiting() == 0)
        let today = CalendarDay(utc: Date())
        let usage = try await client.usage(
            from: today.adding(days: -1),
            to: today.adding(days: 1),
            timeZone: "Europe/Berlin"
        )
        #expect(usage.totals.events == 220 && usage.days.count == 3)
        #expect(Set(usage.eventsByName.map(\.name)) == ["tap 0", "tap 1", "tap 2"])
        try await client.setConsent(false, to: .analytics, textVersion: "2026-12")
        #expect(try stored() == [])
        let consents = try await client.consents()
        #expect(consents[.analytics]?.textVersion == "2026-12" && consents[.analytics]?.isUnsent == false)
    }

    @Test("An app collects what the person agreed to on another device, until they withdraw it there")
    func otherDevice() async throws {
        try device.agree(to: "usage_metrics")
        #expect(try await client.consents()[.usageMetrics]?.isGranted == true)
        client.track("used", category: .usageMetrics)
        try await awaitEvents(1)
        let withdrawal = #"{"consents":{"usage_metrics":{"granted":false,"version":"2"}}}"#
        #expect(try device.send("PUT", "/v2/account/consents", body: withdrawal).status == 200)
        await client.sendAnalytics()
        #expect(try await waiting() == 0)
        client.track("used", category: .usageMetrics)
        #expect(client.eventBuffer.takeAll().isEmpty)
        #expect(try stored() == [])
    }

    @Test("An app restores an older version, also of a deleted configuration")
    func restore() async throws {
        let id = try await client.save(CameraConfiguration(name: "first")).id
        try await client.sync()
        _ = try await client.edit(id) { $0.name = "second" }
        try await client.sync()
        let versions = try await client.versions(of: id).items
        #expect(versions.map(\.tag.number) == [2, 1])
        #expect(try await client.version(of: id, versions[1].tag).name == "first")
        _ = try await client.restore(id, to: versions[1].tag)
        try await client.sync()
        #expect(try device.get(id.uuidString).string("name") == "first")
        try await client.delete(id)
        try await client.sync()
        #expect(try await client.restore(id, to: versions[0].tag).configuration.name == "second")
        try await client.sync()
        #expect(try device.get(id.uuidString).string("name") == "second")
        #expect(try await client.lost().isEmpty)
    }

    @Test("An app reads a conflict and resolves it")
    func conflicts() async throws {
        let preset = Preset("late", minute: 60)
        #expect(try device.post(preset.json).status == 201)
        #expect(try device.put(preset.id, preset.edited("early", minute: 30).json).status == 409)
        let id = try #require(UUID(uuidString: preset.id))
        let conflict = try #require(try await client.conflicts(of: id).items.first)
        #expect(conflict.configuration.name == "early" && conflict.baseVersion.number == 1)
        for _ in 0..<2 { try await client.resolve(conflict) }
        #expect(try await client.conflicts(of: id).items.isEmpty)
    }

    @Test("An app reads devices and quotas, removes a device, and calls other operations")
    func account() async throws {
        #expect(try await client.devices().filter(\.isCurrent).count == 1)
        try await client.removeDevice("phone")
        try await client.removeDevice("phone")
        #expect(try await client.devices().count == 1)
        #expect(try device.send("GET", "/v2/devices").status == 401)
        #expect(try await client.quotas()[.devices]?.used == 1)
        #expect(try await client.quotas()[.items, "configurations"]?.limit != nil)
        let own = try #require(try await client.devices().first?.id)
        #expect(try await client.call("PATCH", "/devices/\(own)", ["name": "desk"])["name"] == "desk")
        #expect(try await client.call("GET", "/auth/sessions")["sessions"]?.array?.count == 1)
    }
}
