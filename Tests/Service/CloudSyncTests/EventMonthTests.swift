import CloudSync
import Foundation
import Net
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

/// The partitions of events: created ahead, dropped when too old.
struct EventMonthTests {
    private static func months(_ world: World, keptDays: Int = 400, at now: @escaping @Sendable () -> Int)
        -> AnalyticsMonths
    {
        AnalyticsMonths(database: world.databases[0], settings: World.eventSettings(keptDays: keptDays, at: now))
    }

    /// The months of a table's partitions.
    private static func partitions(_ table: String, _ world: World) async throws -> [String] {
        let rows = try await world.sql(
            "SELECT right(inhrelid::regclass::text, 7) FROM pg_inherits WHERE inhparent = '\(table)'::regclass ORDER BY 1"
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    /// In the order in which a batch and a drop lock them.
    private static let tables = [
        "analytics_months", "analytics_names", "analytics_events", "analytics_device_days", "analytics_name_days",
    ]
    /// 30 November 2026, 23:59:50.
    private static let endOfMonth = 1_796_083_190
    private static let clock: @Sendable () -> Int = { endOfMonth }
    private static let nextDay: @Sendable () -> Int = { endOfMonth + 86400 }

    @Test("Months from 30 days ago to two months ahead are created once")
    func ahead() async throws {
        try await World.with { world in
            let created = try await Self.months(world, at: Self.clock).create()
            #expect(created == 4)
            for table in Self.tables {
                #expect(try await Self.partitions(table, world) == ["2026_10", "2026_11", "2026_12", "2027_01"])
            }
            #expect(try await Self.months(world, at: Self.clock).create() == 0)
            // A day later the next month exists, across the end of a year.
            #expect(try await Self.months(world, at: Self.nextDay).create() == 1)
            #expect(try await Self.partitions("analytics_device_days", world).last == "2027_02")
        }
    }

    @Test("20 servers that start at once create each month of events once")
    func atOnce() async throws {
        try await World.with { world in
            let created = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask(executorPreference: world.loops[number % 2]) {
                        try await Self.months(world, at: Self.clock).create()
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(created == 4)
        }
    }

    @Test("An event of a missing month is stored, and a repetition does not count")
    func missing() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let items = [try Sent.event(at: Self.endOfMonth)]
            #expect(try await Self.partitions("analytics_events", world).isEmpty)
            let service = world.events(at: Self.clock)
            #expect(try await service.record(items, by: World.eventSchema, for: caller.signing("1")).processed == 1)
            #expect(try await service.record(items, by: World.eventSchema, for: caller.signing("2")).repeated == 1)
            #expect(try await world.sql("SELECT FROM nonces").count == 2)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("Events at the boundary of two months count on their days in their months")
    func boundary() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let items = try ["2026-11-30T23:59:59.999999Z", "2026-12-01T00:00:00Z", "2026-12-01T01:00:00+01:00"].map {
                try JSONParser.parse(Array(#"{"name":"tap","timestamp":"\#($0)"}"#.utf8), policy: .requestBody)
            }
            let service = world.events(at: Self.clock)
            #expect(try await service.record(items, by: World.eventSchema, for: caller).processed == 3)
            let rows = try await world.sql(
                "SELECT day::text || ' ' || events || ' ' || quarters::text || counts::text FROM analytics_device_days ORDER BY day"
            )
            #expect((0..<rows.count).map { rows[$0].text(0) } == ["2026-11-30 1 {95}{1}", "2026-12-01 2 {0}{2}"])
            #expect(try await world.sql("SELECT FROM analytics_events_2026_12").count == 2)
            #expect(try await world.sql("SELECT FROM analytics_names_2026_11").count == 1)
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("Batches across a month's end are stored in full beside sweeps that create and drop months")
    func rollover() async throws {
        try await World.with { world in
            let callers = try await world.agreedAccount(devices: 4)
            let clock = MovedClock(at: Self.endOfMonth)
            // Months old enough to be dropped during the batches.
            try await world.sql("SELECT create_analytics_months('2020-01-01', '2020-12-31')")
            let sweep = Task(executorPreference: world.loops[0]) {
                let months = Self.months(world, at: { clock.seconds })
                while !Task.isCancelled {
                    try await months.create()
                    // A drop fails if it waits too long for a lock; the loop tries again.
                    _ = try? await months.drop()
                }
            }
            let sent = try await withThrowingTaskGroup(of: Int.self) { group in
                for (number, caller) in callers.enumerated() {
                    group.addTask(executorPreference: world.loops[number % 2]) {
                        let service = world.events(number % 2, at: { clock.seconds })
                        for batch in 0..<30 {
                            let now = clock.pass(seconds: 1)
                            let items = try (0..<10).map { try Sent.event("tap \(batch)", at: now - $0) }
                            let receipt = try await service.record(items, by: World.eventSchema, for: caller)
                            guard receipt.processed == 10 else { throw Program.Failure("\(receipt)") }
                        }
                        return 300
                    }
                }
                return try await group.reduce(0, +)
            }
            sweep.cancel()
            try await sweep.value
            #expect(try await world.sql("SELECT FROM analytics_events").count == sent)
            #expect(try await world.sql("SELECT FROM analytics_events_2026_12").count > 0)
            #expect(try await world.miscounts() == [])
            _ = try await Self.months(world, at: { clock.seconds }).drop()
            #expect(try await Self.partitions("analytics_events", world).first == "2026_10")
        }
    }

    @Test("A month is dropped with its counts when all of it is too old, and never with 0 days")
    func retention() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let ages = [500, 460, 430, 400, 100, 0]
            for age in ages {
                let now = Int(Date().timeIntervalSince1970) - age * 86400
                let service = world.events(at: { now })
                let items = [try Sent.event("age \(age)", at: now)]
                #expect(try await service.record(items, by: World.eventSchema, for: caller).processed == 1)
            }
            let clock: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
            #expect(try await Self.months(world, keptDays: 0, at: clock).drop() == [])
            let old = try await world.sql(
                """
                SELECT m::text FROM (
                    SELECT to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM') FROM pg_inherits
                    WHERE inhparent = 'analytics_events'::regclass
                ) c(m)
                WHERE m + interval '1 month' <= now() AT TIME ZONE 'UTC' - interval '400 days' ORDER BY 1
                """
            )
            let dropped = try await Self.months(world, at: clock).drop()
            #expect(dropped == (0..<old.count).compactMap { old[$0].text(0) })
            #expect(dropped.count >= 3)
            let left = try await world.sql(
                "SELECT count(*) FROM analytics_events WHERE occurred_at < now() - interval '432 days'"
            )
            #expect(left.first?.int(0) == 0)
            let kept = try await world.sql(
                "SELECT FROM analytics_events WHERE occurred_at > now() - interval '401 days'"
            )
            #expect(kept.count == 3)
            for table in Self.tables {
                #expect(try await Self.partitions(table, world) == Self.partitions("analytics_events", world))
            }
            #expect(try await world.miscounts() == [])
        }
    }

    @Test("No month is dropped while a backup keeps the months")
    func kept() async throws {
        try await World.with { world in
            try await world.sql("SELECT create_analytics_months('2020-01-01', '2020-01-01')")
            let backup = try await Other(running: AnalyticsMonths.keep, in: world)
            let months = Self.months(world, at: { Int(Date().timeIntervalSince1970) })
            #expect(try await months.drop() == [])
            // A month that is new is made all the same.
            #expect(try await months.create() > 0)
            try await backup.end()
            #expect(try await months.drop() == ["2020-01-01"])
        }
    }

    @Test("A drop of a month behind a long reader gives up soon, and batches go on")
    func inTheWay() async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            try await world.sql("SELECT create_analytics_months('2020-01-01', '2020-01-01')")
            let reader = try await Other(locking: "analytics_device_days", mode: "ACCESS SHARE", in: world)
            let clock: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
            await #expect {
                _ = try await Self.months(world, at: clock).drop()
            } throws: { error in
                if case CloudSyncError.databaseUnavailable = error { true } else { false }
            }
            let items = try Sent.events(3)
            #expect(try await world.events().record(items, by: World.eventSchema, for: caller).processed == 3)
            try await reader.end()
            #expect(try await Self.months(world, at: clock).drop() == ["2020-01-01"])
        }
    }

    @Test(
        "A batch or a drop that waits for a table has locked none of the later tables",
        arguments: tables
    )
    func order(awaited table: String) async throws {
        try await World.with { world in
            let caller = try await world.agreedAccount()[0]
            let later = Self.tables.drop { $0 != table }
            try await world.sql("SELECT create_analytics_months('2020-01-01', '2020-01-01')")
            let clock: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
            let months = Self.months(world, at: clock)
            try await months.create()
            // Only the first batch of a connection makes PostgreSQL parse its statements.
            for batch in ["parsed", "known"] {
                let other = try await Other(locking: table, mode: "ACCESS EXCLUSIVE", in: world)
                let items = [try Sent.event(batch, at: clock())]
                async let receipt = world.events().record(items, by: World.eventSchema, for: caller)
                #expect(try await other.lockedByWaiting().isDisjoint(with: later), "\(batch)")
                try await other.end()
                #expect(try await receipt.processed == 1)
            }
            let reader = try await Other(locking: table, mode: "ACCESS SHARE", in: world)
            do {
                // One drop waits for half a second only. The loop is cancelled at the end of this block.
                async let _: Void = { while !Task.isCancelled { _ = try? await months.drop() } }()
                #expect(try await reader.lockedByWaiting().isDisjoint(with: later), "drop")
            }
            try await reader.end()
            #expect(try await months.drop() == ["2020-01-01"])
        }
    }

    /// A manual clock.
    private final class MovedClock: Sendable {
        private let stored: Locked<Int>

        init(at seconds: Int) { stored = Locked(seconds) }

        var seconds: Int { stored.withLock { $0 } }

        func pass(seconds: Int) -> Int {
            stored.withLock { stored in
                stored += seconds
                return stored
            }
        }
    }

    /// An open transaction that has locked a table.
    private struct Other: @unchecked Sendable {
        // Only one thread at a time uses it.
        private let session: BlockingSession

        init(locking table: String, mode: String, in world: World) async throws {
            try await self.init(running: "LOCK TABLE neuroviews.\(table) IN \(mode) MODE", in: world)
        }

        init(running statement: String, in world: World) async throws {
            session = try await onThread { [connectionString = world.connectionString] in
                let session = try BlockingSession(connectionString)
                try session.execute("BEGIN; \(statement)")
                return Other(session)
            }.session
        }

        private init(_ session: BlockingSession) { self.session = session }

        /// Waits until somebody in this database waits for a lock. Returns the tables that they have locked.
        func lockedByWaiting() async throws -> Set<String> {
            let sql = """
                WITH own AS (
                    SELECT l.* FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
                    WHERE l.locktype = 'relation'
                )
                SELECT coalesce(string_agg(c.relname, ' ') FILTER (WHERE own.granted), '') FROM own
                JOIN pg_class c ON c.oid = own.relation
                WHERE own.pid IN (SELECT pid FROM own WHERE NOT granted) HAVING count(*) > 0
                """
            return try await onThread {
                var names: String?
                try Deadline.wait("somebody who waits for a lock", seconds: 30) {
                    names = try session.execute(sql).first?.text(0)
                    return names != nil
                }
                return Set((names ?? "").split(separator: " ").map(String.init))
            }
        }

        func end() async throws {
            try await onThread { _ = try session.execute("ROLLBACK; SELECT pg_advisory_unlock_all()") }
        }
    }
}
