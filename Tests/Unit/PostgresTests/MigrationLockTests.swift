import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("Migrations beside a running server", .timeLimit(.minutes(Patience.minutes(2))))
struct MigrationLockTests {
    private static let files = [
        "0001_a.sql": "CREATE TABLE a (n integer);",
        "functions/triggers.sql": """
        CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE OR REPLACE TRIGGER noted AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION note();
        """,
    ]

    /// A transaction; one thread after the other uses it.
    private struct Writer: @unchecked Sendable { let session: BlockingSession }

    private static let otherWrite = """
        SET lock_timeout = \(Patience.ms(30_000)); INSERT INTO neuroviews.a VALUES (2)
        """

    private static let changes = [
        "functions/triggers.sql":
            "CREATE OR REPLACE TRIGGER noted BEFORE INSERT ON a FOR EACH STATEMENT EXECUTE FUNCTION note();",
        "0002_b.sql": "LOCK TABLE a IN ACCESS EXCLUSIVE MODE; ALTER TABLE a ADD COLUMN m integer;",
    ]

    @Test(
        "A change of a table waits for a long write without blocking other writes",
        arguments: changes.keys
    )
    func waits(name: String) async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.files)
        let writer = try await onThread {
            let session = try BlockingSession(database.connectionString)
            try session.execute("BEGIN; INSERT INTO neuroviews.a VALUES (1)")
            return Writer(session: session)
        }
        let changed = Self.files.merging([name: try #require(Self.changes[name])]) { $0 + $1 }
        async let changes = database.migrate(changed)
        try await onThread {
            let session = try BlockingSession(database.connectionString)
            let waiting = "SELECT FROM pg_locks WHERE relation = 'neuroviews.a'::regclass AND NOT granted"
            try Deadline.wait("the migration's wait", seconds: 30) { try session.execute(waiting).count > 0 }
        }
        // If the migration waited without end, this write behind it would, too.
        let other = try await onThread {
            Result { try BlockingSession(database.connectionString).execute(Self.otherWrite) }.map { _ in () }
        }
        try await onThread { _ = try writer.session.execute("COMMIT") }
        try other.get()
        #expect(try await changes.applied == [name])
        #expect(try await database.sql("SELECT count(*) FROM a") == ["2"])
    }
}
