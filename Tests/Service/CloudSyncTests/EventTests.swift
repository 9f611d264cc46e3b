import CloudSync
import Foundation
import Net
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

/// Events are stored and counted once, only with consent.
struct EventTests {
    private static let second = Int(Date().timeIntervalSince1970)

    private static func record(_ items: [JSONValue], _ world: World, _ caller: Caller, server: Int = 0) async throws
        -> EventReceipt
    {
        try await world.events(server).record(items, by: World.eventSchema, for: caller)
    }

    @Test("Events without a consent in force for their category are refused")
    func noConsent() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            func isRefused() async throws -> Bool {
                do {
                    _ = try await Self.record(Sent.events(3), world, caller.signing(UUID().uuidString))
                    return false
                } catch CloudSyncError.problem(.consentRequired) {
                    return true
                }
            }
            #expect(try await isRefused())
            let other = ConsentChange(.usageMetrics, isGranted: true, version: "1")
            _ = try await ConsentService(database: world.databases[0]).change([other], for: caller)
            #expect(try await isRefused())
            try await world.consent(caller, false)
            #expect(try await isRefused())
            try await world.consent(caller)
            #expect(try await isRefused() == false)
            try await world.consent(caller, false, version: "2")
            #expect(try await isRefused())
            #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
            #expect(try await world.sql("SELECT FROM nonces").count == 1)
        }
    }

    @Test("A batch that is sent 20 times at once to two servers counts once", arguments: [true, false])
    func atOnce(withIDs: Bool) async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let items = try Sent.events(250, withIDs: withIDs)
            let receipts = try await withThrowingTaskGroup(of: EventReceipt.self) { group in
                for number in 0..<20 {
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await Self.record(items, world, caller, server: number % 2)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(receipts.map(\.processed).sorted().suffix(2) == [0, 250])
            #expect(receipts.allSatisfy { $0.processed + $0.repeated == 250 && $0.refused.isEmpty })
            #expect(try await world.analyticsRows(of: caller)["analytics_events"] == 250)
            #expect(try await world.sql("SELECT sum(events) FROM analytics_device_days").first?.int(0) == 250)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("Three bad events of 1,000 are named, and 997 are stored")
    func threeBad() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            var items = try Sent.events(1000)
            items[0] = try Sent.event("other", at: Self.second)
            items[500] = try Sent.event("old", at: Self.second - 31 * 86400)
            let nameless = #"{"timestamp":"2026-01-01T00:00:00Z"}"#
            items[999] = try JSONParser.parse(Array(nameless.utf8), policy: .requestBody)
            let receipt = try await Self.record(items, world, caller)
            #expect(receipt.processed == 997)
            #expect(receipt.repeated == 0)
            #expect(receipt.refused.map(\.index) == [0, 500, 999])
            #expect(receipt.refused.map(\.pointer) == ["/events/0/name", "/events/500/timestamp", "/events/999/name"])
            #expect(receipt.refused.allSatisfy { $0.detail.hasPrefix("must") || $0.detail == "is required" })
            #expect(try await world.analyticsRows(of: caller)["analytics_events"] == 997)
            // The repeated batch has one corrected event; only that event is new.
            items[0] = try Sent.event("mended", at: Self.second)
            let again = try await Self.record(items, world, caller, server: 1)
            #expect((again.processed, again.repeated, again.refused.count) == (1, 997, 2))
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("Event names are equal only if their bytes are")
    func spellings() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let items = try ["\u{E9}", "e\u{301}"].map { try Sent.event($0, at: Self.second) }
            #expect(try await Self.record(items, world, caller).processed == 2)
            #expect(try await world.analyticsRows(of: caller)["analytics_names"] == 2)
            #expect(try await world.sql("SELECT FROM analytics_name_days WHERE name = 'other'").count == 0)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("An event may be 30 days old and 300 s ahead, and not a microsecond more")
    func ages() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let now = Self.second
            func detail(_ time: String) async throws -> String? {
                let text = #"{"name":"tap","timestamp":"\#(time)"}"#
                let item = try JSONParser.parse(Array(text.utf8), policy: .requestBody)
                do {
                    _ = try await world.events(at: { now }).record([item], by: World.eventSchema, for: caller)
                    return nil
                } catch CloudSyncError.invalid(let violations) {
                    return violations.first?.detail
                }
            }
            func time(_ seconds: Int, _ fraction: String) -> String {
                Timestamp(seconds: seconds).text.replacing("Z", with: ".\(fraction)Z")
            }
            #expect(try await detail(time(now - 30 * 86400, "000000")) == nil)
            #expect(try await detail(time(now - 30 * 86400 - 1, "999999")) == "must be at most 30 days ago")
            #expect(try await detail(time(now + 300, "000000")) == nil)
            #expect(try await detail(time(now + 300, "000001"))?.hasPrefix("must be at most 300 s ahead") == true)
            // The same instant in another time zone.
            let east = Timestamp(seconds: now + 300 + 20700).text.replacing("Z", with: "+05:45")
            #expect(try await detail(east) == nil)
            for bad in ["9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "now"] {
                #expect(try await detail(bad) != nil, "\(bad)")
            }
        }
    }

    @Test("A batch without ids is recognised as a whole, in any order of members, for its own device")
    func withoutIDs() async throws {
        try await World.with { world in
            let callers = try await world.agreedAccount(devices: 2)
            let time = Timestamp(seconds: Self.second).text
            func batch(_ items: String...) throws -> [JSONValue] {
                try items.map { try JSONParser.parse(Array($0.utf8), policy: .requestBody) }
            }
            let (a, b) = (#"{"name":"a","timestamp":"\#(time)"}"#, #"{"timestamp" : "\#(time)", "name":"a"}"#)
            #expect(try await Self.record(batch(a, a), world, callers[0]).processed == 2)
            #expect(try await Self.record(batch(b, a), world, callers[0], server: 1).repeated == 2)
            // Three equal events are another batch than two.
            #expect(try await Self.record(batch(a, a, a), world, callers[0]).processed == 3)
            #expect(try await Self.record(batch(a, a), world, callers[1]).processed == 2)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("An event id counts once for each device and time, in one batch or several")
    func ids() async throws {
        try await World.with { world in
            let callers = try await world.agreedAccount(devices: 2)
            let id = UUID().uuidString
            let event = try Sent.event(at: Self.second, id: id)
            let again = try Sent.event(at: Self.second, id: id.lowercased())
            let first = try await Self.record([event, again], world, callers[0])
            #expect((first.processed, first.repeated) == (1, 1))
            #expect(try await Self.record([again], world, callers[0], server: 1).repeated == 1)
            #expect(try await Self.record([Sent.event(at: Self.second - 1, id: id)], world, callers[0]).processed == 1)
            #expect(try await Self.record([event], world, callers[1]).processed == 1)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("An event id at another time or on another device is another event")
    func idsAmongOthers() async throws {
        try await World.with { world in
            let callers = try await world.agreedAccount(devices: 2)
            func event(_ ago: Int, _ id: String) throws -> JSONValue { try Sent.event(at: Self.second - ago, id: id) }
            let (id, other) = (UUID().uuidString, UUID().uuidString)
            #expect(try await Self.record([event(2, id), event(4, id)], world, callers[0]).processed == 2)
            let edges = try [event(0, other), event(9, other)]
            for caller in callers { #expect(try await Self.record(edges, world, caller).processed == 2) }
            // The time range of each batch contains events of its device.
            let wide = try [event(0, other), event(2, id), event(3, id), event(9, other)]
            let receipt = try await Self.record(wide, world, callers[0])
            #expect((receipt.processed, receipt.repeated) == (1, 3))
            let elsewhere = try await Self.record(wide, world, callers[1], server: 1)
            #expect((elsewhere.processed, elsewhere.repeated) == (2, 2))
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("The first of several events with one id and one time in a batch is stored")
    func firstOfTwo() async throws {
        try await World.with { world in
            let (caller, id) = (try await world.agreedAccount()[0], UUID().uuidString)
            for round in 0..<4 {
                let names = (0..<5).map { "name \(round) \($0)" }
                let items = try names.map { try Sent.event($0, at: Self.second - round, id: id) }
                let fill = try Sent.events(20)
                _ = try await Self.record(fill + items, world, caller)
                let stored = try await world.sql("SELECT name FROM analytics_events WHERE name LIKE 'name \(round) %'")
                #expect(stored.count == 1 && stored.first?.text(0) == names[0])
            }
        }
    }

    @Test("Sessions without a device count as one more device, also after another login")
    func withoutDevice() async throws {
        try await World.with { world in
            let callers = try await world.agreedAccount(devices: 2)
            try await world.sql("UPDATE sessions SET device_id = NULL")
            let event = try Sent.event(at: Self.second)
            #expect(try await Self.record([event], world, callers[0]).processed == 1)
            #expect(try await Self.record([event], world, callers[1]).repeated == 1)
            // Events without ids in two such sessions are two events.
            let nameless = try Sent.event(at: Self.second, id: nil)
            #expect(try await Self.record([nameless], world, callers[0]).processed == 1)
            #expect(try await Self.record([nameless], world, callers[1]).processed == 1)
            #expect(try await world.sql("SELECT DISTINCT device_id FROM analytics_device_days").first?.text(0) == "")
        }
    }

    @Test("Event parameters are stored as sent, up to a limit")
    func parameters() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let text = #"{"a":1.50,"b":[null,{"ü":"\"x\\"}],"n":123456789012345678901234567890}"#
            let full = #"{"a":"\#(String(repeating: "x", count: 2040))"}"#
            let over = #"{"a":"\#(String(repeating: "x", count: 2041))"}"#
            let items = try [text, full, over].map { try Sent.event(at: Self.second, $0) }
            let receipt = try await Self.record(items, world, caller)
            #expect(receipt.processed == 2)
            #expect(receipt.refused.map(\.pointer) == ["/events/2/parameters"])
            let stored = try await world.sql(
                "SELECT parameters FROM analytics_events ORDER BY length(parameters::text)"
            )
            #expect((0..<stored.count).map { stored[$0].text(0) } == [text, full])
        }
    }

    @Test("Event names over 200 in a month count as other, for each account and month separately")
    func names() async throws {
        try await World.with { world in
            let (caller, stranger) = (try await world.agreedAccount()[0], try await world.agreedAccount()[0])
            // 10 October 2026; with `days`, also the month before.
            let now = 1_791_590_400
            let service = world.events(1, at: { now })
            func send(_ numbers: Range<Int>, days: Int = 0, _ caller: Caller) async throws {
                let items = try numbers.map { try Sent.event("name \($0)", at: now - days * 86400 - $0) }
                #expect(try await service.record(items, by: World.eventSchema, for: caller).processed == numbers.count)
            }
            func counted(_ caller: Caller, _ month: String, _ condition: String) async throws -> Int? {
                try await world.sql(
                    """
                    SELECT coalesce(sum(events), 0) FROM analytics_name_days WHERE user_id = '\(caller.userID)'
                        AND date_trunc('month', day) = '\(month)' AND \(condition)
                    """
                ).first?.int(0)
            }
            try await send(0..<150, caller)
            try await send(100..<400, caller)
            try await send(390..<400, days: 20, caller)
            try await send(300..<310, stranger)
            #expect(try await counted(caller, "2026-10-01", "name = 'other'") == 200)
            #expect(try await counted(caller, "2026-10-01", "name <> 'other'") == 250)
            #expect(try await counted(caller, "2026-09-01", "name <> 'other'") == 10)
            #expect(try await counted(stranger, "2026-10-01", "name <> 'other'") == 10)
            #expect(try await counted(caller, "2026-10-01", "name IN ('name 149', 'name 199')") == 3)
            #expect(try await world.analyticsRows(of: caller)["analytics_names"] == 210)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("Counts equal a recount after random, late and repeated batches at two servers")
    func recount() async throws {
        try await World.with { world in
            let callers = try await world.agreedAccount(devices: 3)
            var random = SeededRandom(seed: 12, worker: 0)
            var batches: [[JSONValue]] = []
            for _ in 0..<40 {
                batches.append(
                    try (0..<Int.random(in: 1...60, using: &random)).map { _ in
                        let late = Int.random(in: 0..<(29 * 86400), using: &random)
                        let name = "tap \(Int.random(in: 0..<9, using: &random))"
                        return try Sent.event(
                            name,
                            at: Self.second - late,
                            id: Bool.random(using: &random) ? UUID().uuidString : nil
                        )
                    }
                )
            }
            let sent = batches.reduce(0) { $0 + $1.count }
            let processed = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<80 {
                    let (batch, caller) = (batches[number % 40], callers[number % 40 % 3])
                    group.addTask(executorPreference: world.loops[number % 2]) {
                        try await Self.record(batch, world, caller, server: number / 2 % 2).processed
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(processed == sent)
            #expect(try await world.sql("SELECT FROM analytics_events").count == sent)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("An account with the maximum of events gets no new ones until some expire")
    func quota() async throws {
        try await World.with { world in
            let (caller, other) = (try await world.agreedAccount()[0], try await world.agreedAccount()[0])
            let service = world.events(eventsMax: 25)
            func send(_ caller: Caller, _ count: Int = 10) async throws -> Int {
                try await service.record(Sent.events(count), by: World.eventSchema, for: caller).processed
            }
            // The batch that exceeds the limit is stored completely.
            for _ in 0..<2 { #expect(try await send(caller) == 10) }
            let last = try Sent.events(10)
            #expect(try await service.record(last, by: World.eventSchema, for: caller).processed == 10)
            // The batch can be sent again after a lost answer.
            let again = try await service.record(last, by: World.eventSchema, for: caller.signing("1"))
            #expect((again.processed, again.repeated) == (0, 10))
            await #expect(throws: CloudSyncError.self) {
                try await service.record(last + Sent.events(1), by: World.eventSchema, for: caller)
            }
            let wrong = try Sent.event("other", at: Self.second)
            #expect(try await service.record(last + [wrong], by: World.eventSchema, for: caller).refused.count == 1)
            await #expect {
                _ = try await send(caller, 1)
            } throws: { error in
                if case CloudSyncError.quotaExceeded(let excess) = error {
                    excess.quota == .events && excess.limit == 25
                } else {
                    false
                }
            }
            #expect(try await send(other) == 10)
            let quotas = QuotaService(
                database: world.databases[1],
                items: AccountQuotas(),
                files: RecordingService.Limits(),
                eventsMax: 25
            )
            let use = try await quotas.use(of: caller).first { $0.quota == .events }
            #expect(use?.used == 30)
            #expect(use?.limit == 25)
            #expect(try await world.analyticsRows(of: caller)["analytics_events"] == 30)
            try await world.consent(caller, false)
            try await world.consent(caller)
            #expect(try await send(caller) == 10)
        }
    }
}
