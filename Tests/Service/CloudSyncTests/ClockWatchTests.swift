import Net
import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// The note of the clock in the database, which several servers keep.
struct ClockWatchTests {
    /// A server's clocks, which stand still until they are moved.
    private final class Clocks: Sendable {
        private let uptime = Locked<UInt64>(0)
        let serverS: Int

        init(serverS: Int = WallClock.nowS()) { self.serverS = serverS }

        var uptimeMs: UInt64 { uptime.withLock { $0 } }

        func run(seconds: Int) { uptime.withLock { $0 += UInt64(seconds) * 1000 } }
    }

    private static func watch(_ world: World, server: Int = 0, _ clocks: Clocks = Clocks()) -> ClockWatch {
        ClockWatch(
            database: world.databases[server],
            now: { clocks.serverS },
            uptimeMs: { clocks.uptimeMs }
        )
    }

    private static func value(_ expression: String, _ world: World) async throws -> Int? {
        try await world.sql("SELECT (\(expression))::bigint FROM clock_note").first?.int(0)
    }

    @Test(
        "PostgreSQL and the rule judge alike",
        arguments: [
            ("1 hour", 0, 0), ("23 hours 59 minutes", 0, 0), ("24 hours 1 minute", 0, 0), ("2 years", 0, 0),
            ("1 minute", 3540, 0), ("1 minute", 3660, 0), ("1 minute", 90_000, 86_400), ("1 minute", 90_060, 86_400),
            ("25 hours", 90_000, 86_400), ("-2 years", 0, 0), ("1 minute", -86_400, 0),
        ]
    )
    func alike(noteAge: String, behindSeconds: Int, acceptedSeconds: Int) async throws {
        try await World.with { world in
            try await world.note("now() - interval '\(noteAge)'")
            try await world.sql("UPDATE clock_note SET accepted_lead_seconds = \(acceptedSeconds)")
            let rows = try await world.sql(
                """
                SELECT floor(extract(epoch FROM now()))::bigint,
                    clock_is_trusted(to_timestamp(floor(extract(epoch FROM now())) - \(behindSeconds - 30)))
                """
            )
            let text = world.connectionString
            let read = try await onThread { try ClockNote.read(BlockingSession(text)) }
            let (noted, databaseS) = try #require(read)
            #expect(abs(databaseS - (rows[0].int(0) ?? 0)) < 20)
            let nowS = rows[0].int(0) ?? 0
            let verdict = noted.verdict(databaseS: nowS, serverS: nowS - behindSeconds + 30)
            #expect(rows[0].bool(1) == (verdict == .trusted), "\(verdict)")
        }
    }

    @Test("A look moves the note of a trusted clock, and reports a doubt once")
    func looks() async throws {
        try await World.with { world in
            let watch = Self.watch(world)
            try await world.note("now() - interval '10 hours'")
            #expect(watch.verdict == nil)
            #expect(try await watch.look() == .init(verdict: .trusted, isNew: false, setBackSeconds: 0))
            #expect(try await Self.value("extract(epoch FROM now() - noted_at)", world) ?? 99 < 20)
            try await world.note("now() - interval '2 years'")
            let report = try await watch.look()
            #expect(report.isNew && watch.isDoubted)
            #expect(try await !watch.look().isNew)
            #expect(try await Self.value("(doubt = 'ahead-of-note')::int", world) == 1)
            // Another server has seen the clock before it jumped.
            try await world.note("now() - interval '1 hour'")
            #expect(try await watch.look() == .init(verdict: .trusted, isNew: true, setBackSeconds: 0))
        }
    }

    @Test("A time more than an hour before the note sets the note back")
    func setBack() async throws {
        try await World.with { world in
            let watch = Self.watch(world)
            try await world.note("now() + interval '50 minutes'")
            #expect(try await watch.look().setBackSeconds == 0)
            try await world.note("now() + interval '2 years'")
            #expect(try await watch.look().setBackSeconds > 700 * 86_400)
            #expect(try await Self.value("extract(epoch FROM noted_at - now())", world) ?? 99 <= 0)
            #expect(!watch.isDoubted)
        }
    }

    @Test("24 hours of running are counted in the row, also by a server that starts anew")
    func evenRun() async throws {
        try await World.with { world in
            try await world.note("now() - interval '3 days'")
            var watch = Self.watch(world)
            _ = try await watch.look()
            let before = "even_seconds = 86000, doubted_at = now() - interval '10 minutes'"
            try await world.sql("UPDATE clock_note SET \(before)")
            let clocks = Clocks()
            watch = Self.watch(world, clocks)
            // The first look of a process does not know how long it ran.
            _ = try await watch.look()
            #expect(try await Self.value("even_seconds", world) == 86_000)
            try await world.sql("UPDATE clock_note SET \(before)")
            clocks.run(seconds: 300)
            _ = try await watch.look()
            #expect(try await Self.value("even_seconds", world) == 86_300)
            try await world.sql("UPDATE clock_note SET \(before)")
            clocks.run(seconds: 400)
            #expect(try await watch.look() == .init(verdict: .trusted, isNew: true, setBackSeconds: 0))
        }
    }

    @Test("Looks of two servers at once count the time once")
    func atOnce() async throws {
        try await World.with { world in
            try await world.note("now() - interval '3 days'")
            let clocks = [Clocks(), Clocks()]
            let watches = (0..<2).map { Self.watch(world, server: $0, clocks[$0]) }
            for watch in watches { _ = try await watch.look() }
            try await world.sql("UPDATE clock_note SET doubted_at = now() - interval '300 seconds'")
            for clock in clocks { clock.run(seconds: 300) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for watch in watches { group.addTask { _ = try await watch.look() } }
                try await group.waitForAll()
            }
            let even = try await Self.value("even_seconds", world) ?? 0
            #expect((300..<320).contains(even), "\(even)")
        }
    }

    @Test("A server whose clock is two hours behind the database's doubts it, until that is accepted")
    func behind() async throws {
        try await World.with { world in
            let behindS = WallClock.nowS() - 7200
            let watch = Self.watch(world, Clocks(serverS: behindS))
            let report = try await watch.look()
            #expect(report.isNew && watch.isDoubted)
            #expect(try await Self.value("(doubt = 'ahead-of-server')::int", world) == 1)
            #expect(try await world.acceptClock().verdict == .trusted)
            #expect(try await world.acceptClock(serverS: behindS).verdict != .trusted)
            #expect(try await watch.look().verdict == .trusted)
            let trail = try await world.sql("SELECT operator || ' ' || action FROM operator_actions")
            #expect(trail.count == 1 && trail.first?.text(0) == "ada accept clock")
        }
    }

    @Test("Without its row nothing is deleted by age, until an operator accepts the clock")
    func gone() async throws {
        try await World.with { world in
            try await world.sql("DELETE FROM clock_note")
            let watch = Self.watch(world)
            await #expect(throws: UnexpectedResult.self) { try await watch.look() }
            await #expect(throws: ClockDoubted.self) { try await world.sweep("mails") }
            _ = try await world.acceptClock()
            #expect(try await watch.look().verdict == .trusted)
            try await world.sweep("mails")
        }
    }
}
