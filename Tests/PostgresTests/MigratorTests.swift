import Migrations
import TestSupport
import Testing

@testable import Postgres

@Suite("The migrator", .timeLimit(.minutes(Patience.minutes(2))))
struct MigratorTests {
    private static let first = MigrationFile(number: 1, name: "0001_a.sql", sql: "CREATE TABLE a (n integer);")
    private static let second = MigrationFile(number: 2, name: "0002_b.sql", sql: "CREATE TABLE b (n integer);")

    private static func migrator(_ files: MigrationFile...) -> Migrator {
        Migrator(roles: Migration.roles, files: files)
    }

    private static func database() async throws -> String {
        try await onThread { try TestCluster.shared.get().makeDatabase() }
    }

    private static func run(_ migrator: Migrator, _ database: String) async throws -> [String] {
        try await onThread { try migrator.run(database) }
    }

    /// The sentence that a migration ends with; nil when it goes through.
    private static func problem(_ migrator: Migrator, _ database: String) async throws -> String? {
        try await onThread {
            do throws(MigrationError) {
                _ = try migrator.run(database)
                return nil
            } catch {
                return error.description
            }
        }
    }

    @Test("A fresh database gets every file once; new files are added")
    func twice() async throws {
        let database = try await Self.database()
        #expect(try await Self.run(Self.migrator(Self.first), database) == ["0001_a.sql"])
        #expect(try await Self.run(Self.migrator(Self.first), database) == [])
        #expect(try await Self.run(Self.migrator(Self.first, Self.second), database) == ["0002_b.sql"])
    }

    @Test("The server's own files go through, and through again")
    func ownFiles() async throws {
        let files = Migration.all.map { MigrationFile(number: $0.number, name: $0.name, sql: $0.sql) }
        let migrator = Migrator(roles: Migration.roles, files: files)
        let database = try await Self.database()
        #expect(try await Self.run(migrator, database) == files.map(\.name))
        #expect(try await Self.run(migrator, database) == [])
    }

    @Test("Servers that start at once apply each file once between them")
    func atOnce() async throws {
        let slow = MigrationFile(number: 3, name: "0003_c.sql", sql: "SELECT pg_sleep(0.1); CREATE TABLE c (n integer)")
        let database = try await Self.database()
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask { try await Self.run(Self.migrator(Self.first, Self.second, slow), database) }
            }
            return try await group.reduce([], +)
        }
        #expect(applied.sorted() == ["0001_a.sql", "0002_b.sql", "0003_c.sql"])
    }

    @Test("An applied file that has changed is named")
    func changed() async throws {
        let database = try await Self.database()
        _ = try await Self.run(Self.migrator(Self.first), database)
        let other = MigrationFile(number: 1, name: "0001_a.sql", sql: "CREATE TABLE a (n bigint);")
        let problem = try await Self.problem(Self.migrator(other, Self.second), database)
        #expect(problem?.contains("0001_a.sql was applied with another content") == true)
    }

    @Test("A database of a newer server is left alone")
    func newer() async throws {
        let database = try await Self.database()
        _ = try await Self.run(Self.migrator(Self.first, Self.second), database)
        let problem = try await Self.problem(Self.migrator(Self.first), database)
        #expect(problem?.contains("has migration 2, which this server does not know") == true)
    }

    @Test("A file that fails is undone as a whole, and goes through once it is right")
    func failing() async throws {
        let database = try await Self.database()
        let wrong = MigrationFile(number: 2, name: "0002_b.sql", sql: "CREATE TABLE b (n integer); SELECT nothing")
        let problem = try await Self.problem(Self.migrator(Self.first, wrong), database)
        #expect(problem?.contains("Migration 0002_b.sql failed and was undone") == true)
        #expect(problem?.contains("42703") == true)
        #expect(try await Self.run(Self.migrator(Self.first, Self.second), database) == ["0002_b.sql"])
    }

    @Test("A login role without CREATEROLE gets the statements for an administrator, and they suffice")
    func withoutCreateRole() async throws {
        // Roles belong to the whole cluster: this one has none yet.
        let cluster = try await onThread { try TestCluster() }
        let login = cluster.connectionString(user: "plain")
        try await onThread { _ = try cluster.execute("CREATE ROLE plain LOGIN") }
        let problem = try #require(try await Self.problem(Self.migrator(Self.first), login))
        let statements = try #require(problem.range(of: "say these statements once: ")).upperBound
        try await onThread { _ = try cluster.execute(String(problem[statements...])) }
        #expect(try await Self.run(Self.migrator(Self.first), login) == ["0001_a.sql"])
    }

    @Test(
        "An address without a server, and a wrong one, say what to check",
        arguments: ["host=/nonexistent", "nonsense=1"]
    )
    func unreachable(connectionString: String) async throws {
        let problem = try await Self.problem(Self.migrator(Self.first), connectionString)
        #expect(problem?.contains("check NEUROVIEWS_DATABASE_URL") == true)
    }
}
