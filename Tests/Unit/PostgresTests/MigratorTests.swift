import Migrations
import TestSupport
import Testing

@testable import Postgres

@Suite("The migrator", .timeLimit(.minutes(Patience.minutes(2))))
struct MigratorTests {
    private static let first = ["0001_a.sql": "CREATE TABLE a (n integer);"]
    private static let both = [
        "0001_a.sql": "CREATE TABLE a (n integer);", "0002_b.sql": "CREATE TABLE b (n integer);",
    ]

    @Test("A fresh database gets every migration once, and new files are added")
    func twice() async throws {
        let database = try await MigratedDatabase()
        #expect(try await database.migrate(Self.first).applied == ["0001_a.sql"])
        #expect(try await database.migrate(Self.first) == Migrator.Changes())
        #expect(try await database.migrate(Self.both).applied == ["0002_b.sql"])
    }

    @Test("The server's own files are applied, and nothing is left to apply afterwards")
    func ownFiles() async throws {
        let database = try await MigratedDatabase()
        let names = SchemaFiles.all.keys.sorted().filter { !["roles.sql", "administrator.sql"].contains($0) }
        #expect(try await database.migrate(SchemaFiles.all) == Migrator.Changes(applied: names))
        #expect(try await database.migrate(SchemaFiles.all) == Migrator.Changes())
    }

    @Test(
        "A backup copy beside a SQL file is not part of the schema",
        arguments: ["functions/f.sql.orig", "0001_a.sql~", "x.sql"]
    )
    func copies(name: String) { #expect(!SchemaFile(name: name, sql: "").isKnown) }

    @Test("Servers that start at once apply each migration once")
    func atOnce() async throws {
        let files = Self.both.merging(["0003_c.sql": "SELECT pg_sleep(0.1); CREATE TABLE c (n integer)"]) { _, new in
            new
        }
        let database = try await MigratedDatabase()
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { try await database.migrate(files).applied } }
            return try await group.reduce([], +)
        }
        #expect(applied.sorted() == ["0001_a.sql", "0002_b.sql", "0003_c.sql"])
    }

    @Test("A migration that changed after its application is refused by name")
    func changed() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.first)
        let problem = try await database.problem(["0001_a.sql": "CREATE TABLE a (n bigint);"])
        #expect(problem?.contains("0001_a.sql was applied with another content") == true)
    }

    @Test("A newer server's database is left unchanged")
    func newer() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.both)
        let problem = try await database.problem(Self.first)
        #expect(problem?.contains("has migration 0002_b.sql, which this server does not know") == true)
    }

    @Test("An older release may use a newer compatible database, and changes nothing in it")
    func compatible() async throws {
        let old = Self.both.merging(["functions/f.sql": Self.function(1)]) { $1 }
        let new = old.merging([
            "0003_c.sql": "-- Servers that know 0002 work with this. More.\nCREATE TABLE c (n integer);",
            "functions/f.sql": Self.function(2),
        ]) { $1 }
        let database = try await MigratedDatabase()
        try await database.migrate(old, release: "0.1.0")
        #expect(try await database.migrate(new, release: "0.2.0").applied == ["0003_c.sql", "functions/f.sql"])
        #expect(try await database.migrate(old, release: "0.1.0") == Migrator.Changes())
        #expect(try await database.sql("SELECT f()") == ["2"])
        let conditions = try await database.conditions(old)
        for name in ["0003_c.sql", "functions/f.sql"] { #expect(conditions[name]?.hasPrefix("newer") == true) }
        // A server from before 0002 is too old.
        let problem = try await database.problem(Self.first, release: "0.0.9")
        #expect(problem?.contains("has migration 0002_b.sql, which this server does not know") == true)
        let older = Self.first.merging(["0002_b.sql": old["0002_b.sql"] ?? ""]) { $1 }
        try await database.sql("UPDATE schema_migrations SET compatible_from = 1 WHERE number = 2")
        #expect(try await database.problem(older) == nil)
        #expect(try await database.problem(Self.first)?.contains("has migration 0003_c.sql") == true)
    }

    @Test("A build that lacks a file of another build keeps the other's functions")
    func builds() async throws {
        let old = Self.first.merging(["functions/f.sql": Self.function(1)]) { $1 }
        let new = old.merging([
            "0002_b.sql": "-- Servers that know 0001 work with this.\nCREATE TABLE b (n integer);",
            "functions/f.sql": Self.function(2),
            "functions/g.sql": "CREATE OR REPLACE FUNCTION g() RETURNS integer LANGUAGE sql AS 'SELECT 1';",
        ]) { $1 }
        let database = try await MigratedDatabase()
        try await database.migrate(old)
        try await database.migrate(new)
        #expect(try await database.migrate(old) == Migrator.Changes())
        #expect(try await database.sql("SELECT f() + g()") == ["3"])
    }

    private static func function(_ number: Int) -> String {
        "CREATE OR REPLACE FUNCTION f() RETURNS integer LANGUAGE sql AS 'SELECT \(number)';"
    }

    @Test("A database without the column of compatibility gets it")
    func withoutColumn() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.first)
        try await database.sql("ALTER TABLE schema_migrations DROP COLUMN compatible_from")
        #expect(try await database.problem([:])?.contains("has migration 0001_a.sql") == true)
        #expect(try await database.migrate(Self.both).applied == ["0002_b.sql"])
        #expect(try await database.sql("SELECT compatible_from FROM schema_migrations ORDER BY number") == ["", "2"])
    }

    @Test("A database from before the first release is left unchanged, with a sentence on the remedy")
    func former() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.both)
        try await database.sql(
            """
            UPDATE schema_migrations SET name = '0001_accounts.sql' WHERE number = 1; DROP TABLE schema_functions
            """
        )
        let files = SchemaFiles.all
        let sentence = """
            The database was made by a server before the first release and can't be upgraded: start with an empty one \
            (another NEUROVIEWS_DATA or NEUROVIEWS_DATABASE_URL), and export what you need with the server that made it.
            """
        #expect(try await database.problem(files) == sentence)
        #expect(try await database.sql("SELECT FROM pg_tables WHERE tablename = 'schema_functions'") == [])
        let conditions = try await database.conditions(files)
        for name in ["0001_accounts.sql", "0002_b.sql"] {
            #expect(conditions[name]?.hasPrefix("former") == true, "\(name)")
        }
    }

    @Test("A failing migration is rolled back as a whole, and succeeds after its correction")
    func failing() async throws {
        let database = try await MigratedDatabase()
        let wrong = Self.first.merging(["0002_b.sql": "CREATE TABLE b (n integer); SELECT nothing"]) { _, new in new }
        let problem = try await database.problem(wrong)
        #expect(problem?.contains("Migration 0002_b.sql failed and was undone") == true)
        #expect(problem?.contains("42703") == true)
        #expect(try await database.migrate(Self.both).applied == ["0002_b.sql"])
    }

    @Test("A login without CREATEROLE is refused with the administrator's commands, and these suffice")
    func withoutCreateRole() async throws {
        // Roles belong to the whole cluster. This cluster has none yet.
        let cluster = try await onThread { try TestCluster() }
        let plain = MigratedDatabase(cluster.connectionString(user: "plain"))
        try await onThread { _ = try cluster.execute("CREATE ROLE plain LOGIN") }
        let problem = try #require(try await plain.problem(Self.first))
        #expect(problem.contains("run neuroviews-server roles | psql DATABASE once"))
        #expect(problem.contains("NEUROVIEWS_OWNER_DATABASE_URL"))
        for _ in 0..<2 { try await onThread { _ = try cluster.execute(SchemaFiles.all["administrator.sql"] ?? "") } }
        let owner = MigratedDatabase(cluster.connectionString(user: "neuroviews_owner"))
        #expect(try await owner.migrate(Self.first).applied == ["0001_a.sql"])
        let background = cluster.connectionString(user: "neuroviews_background")
        let migrator = Migrator(Self.both.merging(SchemaFiles.roles) { own, _ in own }, release: "0.1.0")
        let pending = await #expect(throws: MigrationError.self) {
            try await onThread { try migrator.check(background) }
        }
        #expect(pending?.description.contains("lacks 0002_b.sql") == true)
        #expect(try await owner.migrate(Self.both).applied == ["0002_b.sql"])
        try await onThread { try migrator.check(background) }
    }

    @Test(
        "An address without a server and a malformed one are refused with the setting to check",
        arguments: ["host=/nonexistent", "nonsense=1"]
    )
    func unreachable(connectionString: String) async throws {
        let problem = try await MigratedDatabase(connectionString).problem(Self.first)
        #expect(problem?.contains("check NEUROVIEWS_DATABASE_URL") == true)
    }

    @Test("A login without a right is refused with its name, and a standby with another error")
    func rights() async throws {
        let cluster = try await onThread { try TestCluster() }
        func becomeStandby() async throws {
            try await onThread {
                try cluster.execute("COPY (SELECT 1) TO '\(cluster.directory)/data/standby.signal'")
                try cluster.kill()
                try cluster.start()
            }
        }
        func problem(as user: String) async throws -> String? {
            try await MigratedDatabase(cluster.connectionString(user: user)).problem(Self.first)
        }
        _ = try await onThread { try cluster.execute("CREATE ROLE plain LOGIN; CREATE ROLE maker LOGIN CREATEROLE") }
        #expect(try await problem(as: "plain")?.contains("may not create them") == true)
        let missing = try await problem(as: "maker")
        #expect(missing?.contains("lacks CREATE on the database") == true, "\(missing ?? "")")
        #expect(missing?.contains("GRANT CREATE ON DATABASE postgres") == true)
        _ = try await onThread { try cluster.execute("GRANT CREATE ON DATABASE postgres TO maker") }
        try await becomeStandby()
        let standby = try await problem(as: "maker")
        #expect(standby?.contains("takes no writes") == true, "\(standby ?? "")")
        _ = try await onThread { try cluster.execute("SELECT pg_promote()") }
        #expect(try await problem(as: "maker") == nil)
        // The same with a complete schema.
        try await becomeStandby()
        #expect(try await problem(as: "maker")?.contains("takes no writes") == true)
    }
}
