import CloudSync
import Foundation
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

/// Consents, their history, and the effects of a withdrawal.
struct ConsentTests {
    private static func service(_ world: World, _ server: Int = 0) -> ConsentService {
        ConsentService(database: world.databases[server])
    }

    private static func history(_ world: World, _ caller: Caller) async throws -> [String] {
        let rows = try await world.sql(
            """
            SELECT category || ' ' || granted || ' ' || version FROM consent_changes
            WHERE user_id = '\(caller.userID)' ORDER BY changed_at, category
            """
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    @Test("Consents begin without an answer, and each change is in force at once and once in the history")
    func history() async throws {
        try await World.with { world in
            let callers = try await world.newAccount(devices: 2)
            let service = Self.service(world)
            for consent in try await service.all(for: callers[0]) {
                #expect(!consent.isGranted && consent.version == nil && consent.changedAt == nil)
            }
            let both = [
                ConsentChange(.usageMetrics, isGranted: true, version: "a"),
                ConsentChange(.analytics, isGranted: false, version: "ü, \"'"),
            ]
            let first = try await service.change(both, for: callers[0].signing("1"))
            #expect(first.map(\.isGranted) == [false, false, true])
            #expect(first.map(\.version) == ["ü, \"'", nil, "a"])
            // Repeated or empty changes alter neither the consents nor their times.
            #expect(try await service.change(both, for: callers[1]) == first)
            #expect(try await service.change([], for: callers[1]) == first)
            let later = ConsentChange(.usageMetrics, isGranted: true, version: "b")
            let second = try await Self.service(world, 1).change([later], for: callers[1])
            #expect(second == (try await service.all(for: callers[0])))
            #expect(
                try await Self.history(world, callers[0]) == [
                    "analytics false ü, \"'", "usage_metrics true a", "usage_metrics true b",
                ]
            )
            let stranger = try await world.newAccount()[0]
            #expect(try await service.all(for: stranger).allSatisfy { $0.version == nil })
        }
    }

    @Test("The history of consents has each of 40 concurrent changes, and the last one is in force")
    func atOnce() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        let changes = ConsentCategory.allCases.map {
                            ConsentChange($0, isGranted: number % 3 > 0, version: "\(number)")
                        }
                        let order = number % 2 == 0 ? changes : changes.reversed()
                        _ = try await Self.service(world, number % 2).change(order, for: caller)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.history(world, caller).count == 120)
            let differing = try await world.sql(
                """
                SELECT FROM consents c WHERE (c.granted, c.version, c.changed_at) IS DISTINCT FROM (
                    SELECT (h.granted, h.version, h.changed_at) FROM consent_changes h
                    WHERE h.user_id = c.user_id AND h.category = c.category ORDER BY h.changed_at DESC LIMIT 1)
                """
            )
            #expect(differing.count == 0)
        }
    }

    @Test("The history of consents keeps the newest 1,000 changes of an account")
    func bound() async throws {
        try await World.with { world in
            let (caller, stranger) = (try await world.agreedAccount()[0], try await world.agreedAccount()[0])
            try await world.sql(
                """
                INSERT INTO consent_changes SELECT user_id, 'analytics', changed_at - n * interval '1 s', true, n::text
                FROM consents, generate_series(1, 1200) n
                """
            )
            try await world.consent(caller, false, version: "last")
            let history = try await Self.history(world, caller)
            #expect(history.count == 1000)
            #expect(history.suffix(3) == ["analytics true 1", "analytics true 1", "analytics false last"])
            #expect(try await Self.history(world, stranger).count == 1201)
        }
    }

    @Test("A withdrawal deletes the account's events of every month, and nothing of other accounts")
    func withdrawal() async throws {
        try await World.with { world in
            let (caller, other) = (try await world.agreedAccount()[0], try await world.agreedAccount()[0])
            for caller in [caller, other] {
                for months in 0..<4 {
                    let now = Int(Date().timeIntervalSince1970) - months * 30 * 86400
                    let items = try (0..<20).map { try Sent.event("tap \($0)", at: now - $0 * 86400) }
                    let service = world.events(at: { now })
                    #expect(try await service.record(items, by: World.eventSchema, for: caller).processed == 20)
                }
            }
            let before = try await world.analyticsRows(of: other)
            #expect(before["analytics_events"] == 80)
            // Consent to another version of the text is not a withdrawal.
            try await world.consent(caller, version: "2")
            #expect(try await world.analyticsRows(of: caller) == before)
            try await world.consent(caller, false, version: "2", server: 1)
            #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
            #expect(try await world.analyticsRows(of: other) == before)
            #expect(try await world.miscounts() == [])
        }
    }

    /// More events than two deletion steps can delete.
    private static let many = 45_000

    /// Inserts `many` events like collected ones.
    private static func collectMany(_ world: World, _ caller: Caller) async throws {
        _ = try await world.events().record(Sent.events(3), by: World.eventSchema, for: caller)
        try await world.sql(
            """
            INSERT INTO analytics_events (user_id, device_id, occurred_at, id, name, parameters)
            SELECT '\(caller.userID)', '', now() - n * interval '1 s', gen_random_uuid(), 'tap', '{}' FROM generate_series(1, \(many)) n
            """
        )
    }

    @Test("A withdrawal is answered after all events are deleted, also with more than one statement takes")
    func large() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            try await Self.collectMany(world, caller)
            try await world.consent(caller.signing("1"), false)
            #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
            #expect(try await world.sql("SELECT FROM erasures").count == 0)
            #expect(try await world.sql("SELECT FROM nonces").count == 1)
        }
    }

    @Test("A sweep or a new consent finishes an interrupted withdrawal, and its events do not count")
    func interrupted() async throws {
        try await World.with { world in
            for again in [false, true] {
                let caller = try await world.agreedAccount()[0]
                try await Self.collectMany(world, caller)
                try await world.sql(
                    "UPDATE consents SET granted = false, changed_at = changed_at + interval '1 s' WHERE user_id = '\(caller.userID)'"
                )
                let left = try await world.analyticsRows(of: caller)
                #expect((left["analytics_events"] ?? 0) > Self.many / 4)
                #expect(left.filter { $0.value > 0 }.count == 1)
                if again {
                    try await world.consent(caller)
                } else {
                    try await world.sweep("events without consent")
                }
                #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
                #expect(try await world.sql("SELECT FROM erasures").count == 0)
                if again {
                    #expect(
                        try await world.events().record(Sent.events(2), by: World.eventSchema, for: caller).processed
                            == 2
                    )
                    try await world.sweep("events without consent")
                    #expect(try await world.miscounts() == [])
                    #expect(try await world.analyticsRows(of: caller)["analytics_events"] == 2)
                }
            }
        }
    }

    @Test("The sweep deletes the events of a large erased account")
    func largeAccount() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            try await Self.collectMany(world, caller)
            try await world.sql("DELETE FROM users WHERE id = '\(caller.userID)'")
            try await world.sweep("events without consent", at: 1)
            #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
            #expect(try await world.sql("SELECT FROM erasures").count == 0)
        }
    }

    @Test("A deleted account takes all its events with it")
    func account() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let items = try Sent.events(5)
            #expect(try await world.events().record(items, by: World.eventSchema, for: caller).processed == 5)
            try await world.sql("DELETE FROM users WHERE id = '\(caller.userID)'")
            #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
            #expect(try await world.sql("SELECT FROM consents UNION ALL SELECT FROM consent_changes").count == 0)
        }
    }

    private static let rounds = TestRun.isFull ? 1000 : 100

    @Test("Each batch beside a withdrawal is stored before it or refused, and no event is left")
    func race() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            var (stored, refused) = (0, 0)
            for round in 0..<Self.rounds {
                try await world.consent(caller, version: "\(round)")
                let outcomes = try await Self.withdraw(besideBatches: 6, round, world, caller)
                stored += outcomes.count { $0 }
                refused += outcomes.count { !$0 }
                let rows = try await world.analyticsRows(of: caller)
                #expect(rows.values.allSatisfy { $0 == 0 }, "round \(round): \(rows)")
            }
            // Proves that withdrawals and batches overlapped.
            #expect(stored > Self.rounds / 10)
            #expect(refused > Self.rounds / 10)
        }
    }

    /// Withdraws the consent beside `count` concurrent batches. Returns true for each stored batch.
    private static func withdraw(
        besideBatches count: Int,
        _ round: Int,
        _ world: World,
        _ caller: Caller
    ) async throws -> [Bool] {
        let items = try Sent.events(8)
        return try await withThrowingTaskGroup(of: Bool?.self) { group in
            for number in 0...count {
                group.addTask(executorPreference: world.loops[number % 2]) {
                    if number == (round % (count + 1)) {
                        try await world.consent(caller, false, version: "\(round)", server: round % 2)
                        return nil
                    }
                    do {
                        let service = world.events(number / 2 % 2)
                        // Some batches are equal.
                        let part = Array(items[(number % 3)...])
                        _ = try await service.record(part, by: World.eventSchema, for: caller)
                        return true
                    } catch CloudSyncError.problem(.consentRequired) {
                        return false
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append(contentsOf: $1.map { [$0] } ?? []) }
        }
    }
}
