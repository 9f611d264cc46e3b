import CloudSync
import Foundation
import Net
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

/// Crash reports are kept with consent, without a way to their account, and within limits.
struct CrashReportTests {
    private static let second = Int(Date().timeIntervalSince1970)

    private static func account(_ world: World) async throws -> Caller {
        let caller = try await world.newAccount()[0]
        try await world.consent(caller, to: .crashReports)
        return caller
    }

    private static func reports(_ count: Int) throws -> [JSONValue] {
        try (0..<count).map { try Sent.event("crash", at: Self.second, of: .crashReports, #"{"n":\#($0)}"#) }
    }

    private static func send(_ items: [JSONValue], _ service: EventService, _ caller: Caller) async throws
        -> EventReceipt
    {
        try await service.record(items, by: World.eventSchema, for: caller)
    }

    private static func isWithoutConsent(_ error: any Error) -> Bool {
        if case CloudSyncError.problem(.consentRequired) = error { true } else { false }
    }

    private static func count(_ world: World, _ condition: String = "true") async throws -> Int {
        try await world.sql("SELECT FROM crash_reports WHERE \(condition)").count
    }

    @Test("A crash report keeps name, parameters and day, and no other column")
    func columns() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let parameters = #"{"reason":"EXC_BAD_ACCESS","n":1.50}"#
            let yesterday = Self.second - 86400
            let event = try Sent.event("crash", at: yesterday, of: .crashReports, parameters)
            #expect(try await Self.send([event], world.events(), caller).processed == 1)
            let rows = try await world.sql(
                "SELECT day = (to_timestamp(\(yesterday)) AT TIME ZONE 'UTC')::date, name, parameters::text FROM crash_reports"
            )
            #expect(rows.count == 1 && rows.first?.bool(0) == true)
            #expect(rows.first?.text(1) == "crash" && rows.first?.text(2) == parameters)
            let names = try await world.sql(
                "SELECT attname FROM pg_attribute WHERE attrelid = 'crash_reports'::regclass AND attnum > 0 ORDER BY attname"
            )
            #expect((0..<names.count).map { names[$0].text(0) } == ["day", "name", "parameters"])
            #expect(try await world.analyticsRows(of: caller).values.allSatisfy { $0 == 0 })
        }
    }

    @Test("Without consent no crash report is kept; a withdrawal and an erasure leave the kept ones")
    func consent() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let service = world.events()
            await #expect(throws: CloudSyncError.self) { try await Self.send(Self.reports(1), service, caller) }
            try await world.consent(caller, to: .crashReports)
            #expect(try await Self.send(Self.reports(2), service, caller.signing("1")).processed == 2)
            try await world.consent(caller, false, to: .crashReports)
            await #expect {
                _ = try await Self.send(Self.reports(1), service, caller)
            } throws: { Self.isWithoutConsent($0) }
            try await world.sql("DELETE FROM users WHERE id = '\(caller.userID)'")
            #expect(try await Self.count(world) == 2)
        }
    }

    @Test("No other row has the transaction number of a crash report, and its consent's row is untouched")
    func transactionNumbers() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let consent = "SELECT xmin, xmax, ctid FROM consents"
            let before = try await world.sql(consent)
            // The nonce, too, is a row of the account.
            #expect(try await Self.send(Self.reports(2), world.events(), caller.signing("1")).processed == 2)
            let after = try await world.sql(consent)
            #expect(before.count == 1 && after.count == 1)
            for column in 0..<3 { #expect(after.first?.text(column) == before.first?.text(column)) }
            let tables = try await world.sql(
                """
                SELECT string_agg(format('SELECT %L FROM %I t JOIN crash_reports r ON r.xmin IN (t.xmin, t.xmax)', relname,
                    relname), ' UNION ALL ') FROM pg_class
                WHERE relnamespace = 'neuroviews'::regnamespace AND relkind = 'r' AND relname <> 'crash_reports'
                """
            )
            let search = try #require(tables.first?.text(0))
            #expect(search.contains("'sessions'") && search.contains("'nonces_"))
            #expect(try await world.sql(search).count == 0)
        }
    }

    @Test("Crash reports that could not be stored do not count for the day")
    func notStored() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let service = world.events(at: { Self.second })
            let right = "EXECUTE ON FUNCTION keep_crash_reports"
            try await world.sql("REVOKE \(right) FROM neuroviews_background")
            await #expect(throws: (any Error).self) { try await Self.send(Self.reports(20), service, caller) }
            try await world.sql("GRANT \(right) TO neuroviews_background")
            #expect(try await Self.send(Self.reports(20), service, caller).processed == 20)
        }
    }

    @Test("A repeated crash report is kept again")
    func repeated() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let (items, service) = (try Self.reports(3), world.events())
            for _ in 0..<2 { #expect(try await Self.send(items, service, caller).processed == 3) }
            #expect(try await Self.count(world) == 6)
        }
    }

    @Test("An account has 20 crash reports a day, and others still have theirs")
    func daily() async throws {
        try await World.with { world in
            let (caller, other) = (try await Self.account(world), try await Self.account(world))
            let today = world.events(at: { Self.second })
            let first = try await Self.send(Self.reports(8), today, caller)
            #expect((first.processed, first.refused.count) == (8, 0))
            let rest = try await Self.send(Self.reports(15), today, caller)
            #expect((rest.processed, rest.refused.map(\.index)) == (12, [12, 13, 14]))
            #expect(rest.refused[0].pointer == "/events/12")
            #expect(rest.refused[0].detail == "must be one of the account's first 20 crash reports of a day")
            await #expect {
                _ = try await Self.send(Self.reports(1), today, caller)
            } throws: { error in
                if case CloudSyncError.invalid(let violations) = error { violations.count == 1 } else { false }
            }
            #expect(try await Self.send(Self.reports(20), today, other).processed == 20)
            #expect(try await Self.count(world) == 40)
        }
    }

    @Test("The next day an account may send crash reports again")
    func nextDay() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let clock = Clock(Self.second)
            let service = world.events(at: { clock.seconds })
            #expect(try await Self.send(Self.reports(25), service, caller).processed == 20)
            clock.seconds = Self.second + 86400
            #expect(try await Self.send(Self.reports(25), service, caller).processed == 20)
        }
    }

    @Test("Refused crash reports do not count for the day")
    func givenBack() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            let service = world.events(at: { Self.second })
            for _ in 0..<3 {
                await #expect {
                    _ = try await Self.send(Self.reports(20), service, caller)
                } throws: { Self.isWithoutConsent($0) }
            }
            try await world.consent(caller, to: .crashReports)
            #expect(try await Self.send(Self.reports(20), service, caller).processed == 20)
        }
    }

    @Test("40 batches at once keep 20 crash reports of an account")
    func atOnce() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let service = world.events(at: { Self.second })
            let kept = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask(executorPreference: world.loops[number % 2]) {
                        do {
                            return try await Self.send(Self.reports(2), service, caller).processed
                        } catch CloudSyncError.invalid {
                            return 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(kept == 20)
            #expect(try await Self.count(world) == 20)
        }
    }

    @Test("The oldest crash reports beyond 10,000 are deleted, also with batches at once on two servers")
    func bound() async throws {
        try await World.with { world in
            try await world.sql(
                """
                INSERT INTO crash_reports SELECT current_date - 50 - n / 1000, 'old ' || n, '{}' FROM generate_series(0, 9994) n
                """
            )
            let services = [world.events(0), world.events(1)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    let caller = try await Self.account(world)
                    group.addTask(executorPreference: world.loops[number % 2]) {
                        let receipt = try await Self.send(Self.reports(10), services[number / 2 % 2], caller)
                        #expect(receipt.processed == 10)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.count(world) == 10_000)
            #expect(try await Self.count(world, "name = 'crash'") == 100)
            // 95 are gone, all of the oldest day.
            #expect(try await Self.count(world, "day = current_date - 59") == 900)
            #expect(try await Self.count(world, "day > current_date - 59 AND name <> 'crash'") == 9000)
        }
    }

    @Test("The sweep deletes crash reports of days more than 90 days ago")
    func sweep() async throws {
        try await World.with { world in
            try await world.sql(
                """
                INSERT INTO crash_reports SELECT (now() AT TIME ZONE 'UTC')::date - n, n::text, '{}'
                FROM generate_series(0, 2500) n
                """
            )
            for _ in 0..<2 { try await world.sweep("old crash reports") }
            let rows = try await world.sql("SELECT count(*), max(name::int) FROM crash_reports")
            #expect(rows.first?.int(0) == 91 && rows.first?.int(1) == 90)
        }
    }

    /// A manual clock.
    private final class Clock: Sendable {
        private let stored: Locked<Int>

        init(_ seconds: Int) { stored = Locked(seconds) }

        var seconds: Int {
            get { stored.withLock { $0 } }
            set { stored.withLock { $0 = newValue } }
        }
    }
}
