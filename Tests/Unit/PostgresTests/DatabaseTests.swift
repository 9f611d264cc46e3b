import Migrations
import Net
import TestSupport
import Testing

@testable import Postgres

@Suite("The database's interface for services", .timeLimit(.minutes(Patience.minutes(2))))
struct DatabaseTests {
    private static let user = Statement(
        "SELECT current_user, current_setting('search_path'), current_setting('timezone')"
    )
    private static let backend = Statement("SELECT pg_backend_pid(), $1::int")

    private static func withDatabase(
        loops count: Int = 2,
        _ body: @escaping @Sendable (Database, [EventLoop]) async throws -> Void
    ) async throws {
        let connectionString = try await onThread {
            let connectionString = try TestCluster.shared.get().makeDatabase()
            try Migrator(SchemaFiles.all, release: "0").run(connectionString)
            return connectionString
        }
        try await withLoops(count) { loops in
            let database = try Database(Database.Configuration(connectionString: connectionString), loops: loops)
            let result: Result<Void, any Error>
            do { result = .success(try await body(database, loops)) } catch { result = .failure(error) }
            await database.close()
            try result.get()
        }
    }

    @Test("Reads and writes run as the application, and background work as the background role")
    func roles() async throws {
        try await Self.withDatabase { database, _ in
            let read = try await database.read([Self.user()])[0].first
            #expect((0..<3).map { read?.text($0) } == ["neuroviews_app", "neuroviews, pg_temp", "UTC"])
            #expect(try await database.write([Self.user()], key: "k")[0].first?.text(0) == "neuroviews_app")
            #expect(try await database.background([Self.user()])[0].first?.text(0) == "neuroviews_background")
        }
    }

    /// A database with a login for each role, on a cluster of its own.
    private static func withOwnLogins(
        _ body: @escaping @Sendable (Database, TestCluster) async throws -> Void
    ) async throws {
        let cluster = try await onThread { try TestCluster() }
        try await onThread {
            _ = try cluster.execute(SchemaFiles.all["administrator.sql"] ?? "")
            try Migrator(SchemaFiles.all, release: "0").run(cluster.connectionString(user: "neuroviews_owner"))
        }
        var configuration = Database.Configuration(connectionString: cluster.connectionString(user: "neuroviews_app"))
        configuration.backgroundConnectionString = cluster.connectionString(user: "neuroviews_background")
        try await withLoops(1) { [configuration] loops in
            let database = try Database(configuration, loops: loops)
            let result: Result<Void, any Error>
            do { result = .success(try await body(database, cluster)) } catch { result = .failure(error) }
            await database.close()
            try result.get()
        }
    }

    @Test("Each role can log in by a login of its own that is a member of no role")
    func ownLogins() async throws {
        try await Self.withOwnLogins { database, _ in
            let login = Statement("SELECT session_user, current_user")
            for kind in ["read", "write", "background"] {
                let rows =
                    switch kind {
                    case "read": try await database.read([login()])
                    case "write": try await database.write([login()], key: "k")
                    default: try await database.background([login()])
                    }
                let role = kind == "background" ? "neuroviews_background" : "neuroviews_app"
                #expect((0..<2).map { rows[0].first?.text($0) } == [role, role])
            }
        }
    }

    @Test("A probe fails while the login of requests can't be used, though the other one can")
    func probedLogins() async throws {
        try await Self.withOwnLogins { database, cluster in
            func probed() async -> Outcome {
                await outcome { () throws(DatabaseError) in try await database.probe([Self.user()]) }
            }
            #expect(await probed() == .done)
            try await onThread {
                _ = try cluster.execute("ALTER ROLE neuroviews_app NOLOGIN")
                let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'neuroviews_app'"
                _ = try cluster.execute(end)
            }
            try await eventually { await probed() == .unavailable }
            #expect(try await database.background([Self.user()])[0].first?.text(0) == "neuroviews_background")
        }
    }

    @Test("A statement that changes its own time limit is still cancelled")
    func overdue() async throws {
        let connectionString = try await onThread {
            let connectionString = try TestCluster.shared.get().makeDatabase()
            try Migrator(SchemaFiles.all, release: "0").run(connectionString)
            return connectionString
        }
        var configuration = Database.Configuration(connectionString: connectionString)
        configuration.statementTimeoutMs = 500
        try await withLoops(1) { [configuration] loops in
            let database = try Database(configuration, loops: loops)
            let unlimited = Statement("SELECT set_config('statement_timeout', '0', false), 'overdue'")
            let sleep = Statement("SELECT pg_sleep(600), 'overdue'")
            let outcome = await outcome { () throws(DatabaseError) in
                try await database.write([unlimited(), sleep()], key: "k")
            }
            #expect(outcome == .connectionLost)
            try await onThread {
                let running =
                    "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()"
                try Deadline.wait("the end of the statement", seconds: 10) {
                    try TestCluster.shared.get().execute(running).count == 0
                }
            }
            await database.close()
        }
    }

    @Test("Each loop has connections of its own, and callers outside the loops are served too")
    func loops() async throws {
        try await Self.withDatabase { database, loops in
            var backends: [Set<Int>] = []
            for loop in loops {
                let own = try await onLoop(loop) {
                    var own: Set<Int> = []
                    for n in 0..<5 {
                        let row = try await database.read([Self.backend(.int(n))])[0].first
                        #expect(row?.int(1) == n)
                        #expect(loop.isCurrent)
                        own.insert(row?.int(0) ?? 0)
                    }
                    return own
                }
                backends.append(own)
            }
            #expect(backends[0].isDisjoint(with: backends[1]))
            let elsewhere = try await database.read([Self.backend(.int(9))])[0].first
            #expect(elsewhere?.int(1) == 9)
        }
    }

    /// A session that holds an advisory lock. One thread after the other uses it.
    private struct Holder: @unchecked Sendable {
        let session: BlockingSession

        func isWaitedFor() throws -> Bool {
            let waiting = """
                SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted
                """
            return try session.execute(waiting).count > 0
        }
    }

    @Test("The question whether the server can use the database is answered while all other connections are busy")
    func probe() async throws {
        let connectionString = try await onThread { try TestCluster.shared.get().makeMigratedDatabase() }
        var configuration = Database.Configuration(connectionString: connectionString)
        (configuration.backgroundsPerLoop, configuration.waitMs) = (1, 2000)
        try await withLoops(1) { [configuration] loops in
            let database = try Database(configuration, loops: loops)
            let holder = try await onThread {
                let session = try BlockingSession(connectionString)
                try session.execute("SELECT pg_advisory_lock(1)")
                return Holder(session: session)
            }
            let lock = Statement("SELECT pg_advisory_lock(1)")
            async let busy = outcome { () throws(DatabaseError) in try await database.background([lock()]) }
            try await onThread {
                try Deadline.wait("a busy connection", seconds: 10) { try holder.isWaitedFor() }
            }
            #expect(try await Migrator(SchemaFiles.all, release: "0").misfit(in: database) == nil)
            _ = try await onThread { try holder.session.execute("SELECT pg_advisory_unlock(1)") }
            _ = await busy
            await database.close()
        }
    }

    @Test("A closing database reports neither the statement that it breaks off nor what follows from that")
    func closing() async throws {
        let connectionString = try await onThread { try TestCluster.shared.get().makeMigratedDatabase() }
        let events = Events()
        var configuration = Database.Configuration(connectionString: connectionString)
        configuration.report = { events.note($0) }
        try await withLoops(1) { [configuration] loops in
            let database = try Database(configuration, loops: loops)
            let sleep = Statement("SELECT pg_sleep(7), 'closing'")
            async let broken = outcome { () throws(DatabaseError) in try await database.background([sleep()]) }
            try await onThread {
                let running =
                    "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(7)%' AND pid <> pg_backend_pid()"
                try Deadline.wait("a statement under way", seconds: 10) {
                    try TestCluster.shared.get().execute(running).count == 1
                }
            }
            #expect(!database.isClosing)
            await database.close()
            #expect(await broken == .connectionLost)
            #expect(database.isClosing)
            database.report(DatabaseError.connectionLost("closed"), aside: "a note")
            #expect(events.all == [])
        }
    }

    @Test("A closed database refuses everything as unavailable")
    func closed() async throws {
        try await Self.withDatabase { database, _ in
            #expect(await outcome { () throws(DatabaseError) in try await database.read([Self.user()]) } == .done)
            await database.close()
            #expect(
                await outcome { () throws(DatabaseError) in try await database.read([Self.user()]) } == .unavailable
            )
            #expect(
                await outcome { () throws(DatabaseError) in try await database.write([Self.user()], key: "k") }
                    == .unavailable
            )
            #expect(
                await outcome { () throws(DatabaseError) in try await database.probe([Self.user()]) } == .unavailable
            )
        }
    }
}
