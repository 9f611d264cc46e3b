import Migrations
import TestSupport
import Testing

@testable import Postgres

@Suite("Nonces from before their keys began with the account", .timeLimit(.minutes(Patience.minutes(2))))
struct KeysByUserMigrationTests {
    /// The server's files up to this number, without functions.
    private static func tables(upTo number: Int) -> [String: String] {
        SchemaFiles.all.filter { SchemaFile(name: $0.key, sql: $0.value).number.map { $0 <= number } ?? false }
    }

    private static let account = """
        INSERT INTO users (id, email, password_hash) VALUES ('00000000-0000-4000-8000-000000000001', 'ada@example.org', '');
        INSERT INTO sessions (id, user_id, key_id)
        VALUES ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'k');
        """

    /// The insert by the functions of the previous release.
    private static func insert(_ nonce: String, session: Int = 2) -> String {
        """
        INSERT INTO nonces (slot, session_id, signed_at, nonce)
        VALUES (1, '00000000-0000-4000-8000-00000000000\(session)', 900, '\(nonce)');
        """
    }

    @Test("They get their account; those of sessions that are gone go")
    func before() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.tables(upTo: 3))
        try await database.sql(Self.account + Self.insert("a") + Self.insert("b", session: 3))
        try await database.migrate(Self.tables(upTo: 4))
        #expect(try await database.sql("SELECT nonce FROM nonces WHERE user_id::text LIKE '%1'") == ["a"])
        #expect(try await database.sql("SELECT count(*) FROM nonces") == ["1"])
    }

    @Test("Functions of the release before store them with their account, and a second time not at all")
    func meanwhile() async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.tables(upTo: 3))
        try await database.sql(Self.account + Self.insert("a"))
        try await database.migrate(Self.tables(upTo: 4))
        try await database.sql(Self.insert("b"))
        // A call that began before the migration continues with the former body.
        try await database.migrate(SchemaFiles.all)
        try await database.sql(Self.insert("c"))
        for nonce in ["a", "b", "c"] {
            await #expect(throws: DatabaseError.self) { try await database.sql(Self.insert(nonce)) }
        }
        let kept = "SELECT nonce FROM nonces WHERE user_id::text LIKE '%1' ORDER BY nonce"
        #expect(try await database.sql(kept) == ["a", "b", "c"])
    }
}
