import CloudSync
import Net
import Postgres
import TestSupport
import Testing

/// Wrong passwords for addresses without an account, beside those of accounts.
struct UnknownAddressTests {
    private static let standIn = "00000000-0000-0000-0000-0000000000a7"
    private static let otherStandIn = "00000000-0000-0000-0000-000000000fff"

    @Test("A wrong password for an unknown address writes as many WAL records as one for an account")
    func records() async throws {
        try await World.with { world in
            try await world.newAccount("ada@example.org")
            try await world.newAccount("ben@example.org")
            let accounts = try await Self.ids(world)
            // The first rows of a table also make the roots of its indexes.
            for id in [accounts[1], Self.otherStandIn] { _ = try await Self.records(of: id, world) }
            // The first failure of an hour inserts a row, and the second one changes it.
            for _ in 0..<2 {
                let known = try await Self.records(of: accounts[0], world)
                #expect(known > 0)
                #expect(try await Self.records(of: Self.standIn, world) == known)
            }
        }
    }

    private static func ids(_ world: World) async throws -> [String] {
        let rows = try await world.sql("SELECT id FROM users ORDER BY email")
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    /// The number of WAL records of a note.
    private static func records(of id: String, _ world: World) async throws -> Int {
        let plan = try await world.sql(
            """
            EXPLAIN (ANALYZE, WAL, COSTS off, TIMING off, SUMMARY off)
            SELECT note_failure('\(id)', 'login-failed', '192.0.2.1')
            """
        )
        let lines = (0..<plan.count).compactMap { plan[$0].text(0) }
        let mark = "WAL: records="
        guard let line = lines.first(where: { $0.contains(mark) }), let start = line.firstRange(of: mark)?.upperBound
        else { return 0 }
        return Int(line[start...].prefix { $0.isNumber }) ?? 0
    }

    @Test("Guesses at many unknown addresses keep one row for each stand-in, without a network address")
    func bounded() async throws {
        try await World.with { world in
            for hours in [2, 1, 0] {
                try await world.sql("UPDATE stand_in_events SET at = at - interval '\(hours + 1) hours'")
                try await world.sql("SELECT note_failure('\(Self.standIn)', 'login-failed', '192.0.2.1')")
            }
            let rows = try await world.sql("SELECT count, address IS NULL FROM stand_in_events")
            #expect(rows.count == 1 && rows[0].text(0) == "1" && rows[0].bool(1) == true)
        }
    }

    @Test("A login with an unknown address notes a stand-in, the same one for each spelling and guess")
    func standIns() async throws {
        try await World.with { world in
            let accounts = try Self.service(world, world.databases[0])
            for email in ["eve@example.org", "EVE@example.org"] { await Self.guess(email, accounts, world) }
            let rows = try await world.sql("SELECT DISTINCT stand_in FROM stand_in_events")
            #expect(rows.count == 1)
            #expect(try await world.sql("SELECT FROM account_events").count == 0)
        }
    }

    @Test("An error of a note is reported, and changes no answer")
    func reported() async throws {
        try await World.with { world in
            let purposes = Locked<[String]>([])
            var configuration = Database.Configuration(connectionString: world.connectionString)
            configuration.report = { event in
                if case .failedAside(let purpose, _) = event { purposes.withLock { $0.append(purpose) } }
            }
            let database = try Database(configuration, loops: world.loops)
            try await world.sql("ALTER TABLE stand_in_events RENAME TO elsewhere")
            let accounts = try Self.service(world, database)
            await Self.guess("eve@example.org", accounts, world)
            await database.close()
            #expect(purposes.withLock { $0 } == ["note of a failure"])
        }
    }

    /// Logs in with a wrong password.
    private static func guess(_ email: String, _ accounts: AccountService, _ world: World) async {
        let login = Task(executorPreference: world.loops[0]) {
            try await accounts.logIn(LoginAttempt(email: email, password: "three quiet lenses"))
        }
        do {
            _ = try await login.value
            Issue.record("logged in")
        } catch CloudSyncError.problem(.credentialsInvalid) {
        } catch {
            Issue.record("\(error)")
        }
    }

    private static func service(_ world: World, _ database: Database) throws -> AccountService {
        AccountService(
            database: database,
            keys: World.keys,
            hashing: try BlockingPool(threads: 1, queueMax: 8),
            limits: AttemptLimits(database: database, keys: World.keys),
            settings: .init(registration: .open, now: { 1_800_000_000 })
        )
    }
}
