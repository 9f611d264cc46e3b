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

    @Test("A fresh database gets every file once; new files are added")
    func twice() async throws {
        let database = try await MigratedDatabase()
        #expect(try await database.migrate(Self.first).applied == ["0001_a.sql"])
        #expect(try await database.migrate(Self.first) == Migrator.Changes())
        #expect(try await database.migrate(Self.both).applied == ["0002_b.sql"])
    }

    @Test("The server's own files go through, and through again")
    func ownFiles() async throws {
        let database = try await MigratedDatabase()
        let names = SchemaFiles.all.keys.sorted().filter { $0 != "roles.sql" }
        #expect(try await database.migrate(SchemaFiles.all) == Migrator.Changes(applied: names))
        #expect(try await database.migrate(SchemaFiles.all) == Migrator.Changes())
    }

    @Test("Servers that start at once apply each file once between them")
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

    @Test("An applied file that has changed is named")
    func changed() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.first)
        let problem = try await database.problem(["0001_a.sql": "CREATE TABLE a (n bigint);"])
        #expect(problem?.contains("0001_a.sql was applied with another content") == true)
    }

    @Test("A database of a newer server is left alone")
    func newer() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.both)
        let problem = try await database.problem(Self.first)
        #expect(problem?.contains("has migration 0002_b.sql, which this server does not know") == true)
    }

    @Test("A database of a server before the first release is left as it is, with a sentence that says what to do")
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

    @Test("A file that fails is undone as a whole, and goes through once it is right")
    func failing() async throws {
        let database = try await MigratedDatabase()
        let wrong = Self.first.merging(["0002_b.sql": "CREATE TABLE b (n integer); SELECT nothing"]) { _, new in new }
        let problem = try await database.problem(wrong)
        #expect(problem?.contains("Migration 0002_b.sql failed and was undone") == true)
        #expect(problem?.contains("42703") == true)
        #expect(try await database.migrate(Self.both).applied == ["0002_b.sql"])
    }

    @Test("A login role without CREATEROLE gets the statements for an administrator, and they suffice")
    func withoutCreateRole() async throws {
        // Roles belong to the whole cluster: this one has none yet.
        let cluster = try await onThread { try TestCluster() }
        let database = MigratedDatabase(cluster.connectionString(user: "plain"))
        try await onThread { _ = try cluster.execute("CREATE ROLE plain LOGIN") }
        let problem = try #require(try await database.problem(Self.first))
        let statements = try #require(problem.range(of: "run these statements once: ")).upperBound
        try await onThread { _ = try cluster.execute(String(problem[statements...])) }
        #expect(try await database.migrate(Self.first).applied == ["0001_a.sql"])
    }

    @Test(
        "An address without a server, and a wrong one, say what to check",
        arguments: ["host=/nonexistent", "nonsense=1"]
    )
    func unreachable(connectionString: String) async throws {
        let problem = try await MigratedDatabase(connectionString).problem(Self.first)
        #expect(problem?.contains("check NEUROVIEWS_DATABASE_URL") == true)
    }
}
