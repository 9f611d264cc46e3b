import CloudSync
import Foundation
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

/// Each event needs the consent to its category, and is counted and deleted with it.
struct EventCategoryTests {
    private static let second = Int(Date().timeIntervalSince1970)
    private static let stored: [ConsentCategory] = [.analytics, .usageMetrics]

    private static func record(_ items: [JSONValue], _ world: World, _ caller: Caller, server: Int = 0) async throws
        -> EventReceipt
    {
        try await world.events(server).record(items, by: World.eventSchema, for: caller)
    }

    /// An account with consent to all categories.
    private static func account(_ world: World, devices: Int = 1) async throws -> [Caller] {
        let callers = try await world.newAccount(devices: devices)
        for category in ConsentCategory.allCases { try await world.consent(callers[0], to: category) }
        return callers
    }

    /// `count` events of each category that is stored with its account.
    private static func mixed(_ count: Int, withIDs: Bool = true) throws -> [JSONValue] {
        try stored.flatMap { try Sent.events(count, withIDs: withIDs, of: $0) }.shuffled()
    }

    private static func events(_ world: World, _ caller: Caller) async throws -> [Int?] {
        var counts: [Int?] = []
        for category in stored {
            counts.append(try await world.analyticsRows(of: caller, in: category)["analytics_events"])
        }
        return counts
    }

    @Test("Events count in their category; without one, in analytics", arguments: [true, false])
    func counted(withIDs: Bool) async throws {
        try await World.with { world in
            let caller = try await Self.account(world)[0]
            let items = try Self.mixed(10, withIDs: withIDs) + Sent.events(5, withIDs: withIDs)
            let first = try await Self.record(items, world, caller)
            #expect((first.processed, first.repeated, first.refused.count) == (25, 0, 0))
            #expect(try await Self.events(world, caller) == [15, 10])
            let again = try await Self.record(items, world, caller, server: 1)
            #expect((again.processed, again.repeated, again.refused.count) == (0, 25, 0))
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("An event id counts once in each category")
    func ids() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)[0]
            func event(_ id: String, _ category: ConsentCategory) throws -> JSONValue {
                try Sent.event(at: Self.second, id: id, of: category)
            }
            let (id, other) = (UUID().uuidString, UUID().uuidString)
            let first = try [event(id, .analytics), event(other, .usageMetrics)]
            #expect(try await Self.record(first, world, caller).processed == 2)
            // The device has a usage metric of this time, and another event of this id.
            let second = try event(id, .usageMetrics)
            #expect(try await Self.record([second], world, caller).processed == 1)
            #expect(try await Self.record([second] + first, world, caller, server: 1).repeated == 3)
            #expect(try await Self.events(world, caller) == [1, 2])
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("An event whose category lacks consent is refused by itself")
    func refusedAlone() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let categories: [ConsentCategory?] = [.usageMetrics, nil, .crashReports, .analytics]
            let items = try categories.map { try Sent.event(at: Self.second, of: $0) }
            let receipt = try await Self.record(items, world, caller)
            #expect((receipt.processed, receipt.repeated) == (2, 0))
            #expect(receipt.refused.map(\.index) == [0, 2])
            #expect(receipt.refused.map(\.pointer) == ["/events/0/category", "/events/2/category"])
            #expect(receipt.refused.map(\.detail).allSatisfy { $0.hasPrefix("must be of a category with consent") })
            #expect(try await Self.events(world, caller) == [2, 0])
            // With consent, the same batch stores the rest.
            try await world.consent(caller, to: .usageMetrics)
            let later = try await Self.record(items, world, caller, server: 1)
            #expect((later.processed, later.repeated, later.refused.map(\.index)) == (1, 2, [2]))
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("A batch without consent to any of its categories is refused as a whole, and its nonce stays unspent")
    func allWithoutConsent() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            let items = try ConsentCategory.allCases.map { try Sent.event(at: Self.second, of: $0) }
            await #expect {
                _ = try await Self.record(items, world, caller.signing("1"))
            } throws: { error in
                if case CloudSyncError.problem(.consentRequired) = error { true } else { false }
            }
            #expect(try await world.sql("SELECT FROM nonces").count == 0)
        }
    }

    @Test("A batch of which all events are refused for several reasons is invalid, with each reason")
    func allRefused() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let items = [
                try Sent.event(at: Self.second, of: .usageMetrics), try Sent.event("other", at: Self.second),
                JSONValue.null, try Sent.event(at: Self.second - 40 * 86400, of: .crashReports),
            ]
            await #expect {
                _ = try await Self.record(items, world, caller)
            } throws: { error in
                guard case CloudSyncError.invalid(let violations) = error else { return false }
                let pointers = ["/events/0/category", "/events/1/name", "/events/2", "/events/3/timestamp"]
                return violations.map(\.pointer) == pointers && violations[0].keyword == "consent"
            }
            #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
        }
    }

    @Test("A withdrawal deletes the events and counts of its category alone", arguments: stored)
    func withdrawal(category: ConsentCategory) async throws {
        try await World.with { world in
            let (caller, other) = (try await Self.account(world)[0], try await Self.account(world)[0])
            for caller in [caller, other] {
                #expect(try await Self.record(Self.mixed(20), world, caller).processed == 40)
            }
            let kept = Self.stored.filter { $0 != category }[0]
            let before = try await world.analyticsRows(of: caller, in: kept)
            let ofOther = try await world.analyticsRows(of: other)
            // The withdrawal of crash reports deletes nothing.
            try await world.consent(caller, false, to: .crashReports)
            #expect(try await Self.events(world, caller) == [20, 20])
            try await world.consent(caller, false, to: category, server: 1)
            #expect(try await world.analyticsRows(of: caller, in: category).values.allSatisfy { $0 == 0 })
            #expect(try await world.analyticsRows(of: caller, in: kept) == before)
            #expect(try await world.analyticsRows(of: other) == ofOther)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("Interrupted withdrawals of both categories are finished by the sweep, or one by its new consent")
    func interrupted() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)[0]
            #expect(try await Self.record(Self.mixed(3), world, caller).processed == 6)
            try await world.sql(
                """
                INSERT INTO analytics_events (user_id, category, device_id, occurred_at, id, name, parameters)
                SELECT '\(caller.userID)', c, '', now() - n * interval '1 s', gen_random_uuid(), 'tap', '{}'
                FROM generate_series(1, 45000) n, unnest('{analytics,usage_metrics}'::text[]) c;
                UPDATE consents SET granted = false, changed_at = changed_at + interval '1 s';
                """
            )
            #expect(try await world.sql("SELECT FROM erasures").count == 2)
            try await world.consent(caller, to: .usageMetrics)
            #expect(try await Self.events(world, caller)[1] == 0)
            #expect(try await world.sql("SELECT category FROM erasures").first?.text(0) == "analytics")
            #expect(try await Self.record(Sent.events(4, of: .usageMetrics), world, caller).processed == 4)
            try await world.sweep("events without consent")
            #expect(try await Self.events(world, caller) == [0, 4])
            #expect(try await world.sql("SELECT FROM erasures").count == 0)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("Batches of two categories at once count once, beside withdrawals of one of the two")
    func atOnce() async throws {
        try await World.with { world in
            let callers = try await Self.account(world, devices: 2)
            let batches = try (0..<6).map { _ in try Self.mixed(8, withIDs: Bool.random()) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    group.addTask(executorPreference: world.loops[number % 2]) {
                        if number % 8 == 3 {
                            try await world.consent(callers[1], false, to: .usageMetrics, server: number / 8 % 2)
                        } else {
                            _ = try await Self.record(batches[number % 6], world, callers[0], server: number / 2 % 2)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await world.miscounts() == [])
            try await world.consent(callers[0], false, to: .usageMetrics, version: "2")
            #expect(try await Self.events(world, callers[0]) == [48, 0])
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("The quota counts all categories; a batch with room for its first event is stored completely")
    func quota() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)[0]
            let service = world.events(eventsMax: 25)
            func send(_ items: [JSONValue]) async throws -> EventReceipt {
                try await service.record(items, by: World.eventSchema, for: caller)
            }
            #expect(try await send(Sent.events(20, of: .usageMetrics)).processed == 20)
            let last = try Self.mixed(10)
            #expect(try await send(last).processed == 20)
            #expect(try await send(last).repeated == 20)
            // Of a full account, a batch with a new event stores nothing, and keeps no crash report.
            for category in Self.stored {
                let more = try [category, .crashReports].map { try Sent.event(at: Self.second, of: $0) }
                await #expect {
                    _ = try await send(last + more)
                } throws: { error in
                    if case CloudSyncError.quotaExceeded(let excess) = error { excess.limit == 25 } else { false }
                }
            }
            #expect(try await world.sql("SELECT FROM crash_reports").count == 0)
            #expect(try await Self.events(world, caller) == [10, 30])
            #expect(try await world.miscounts() == [])
        }
    }
}
