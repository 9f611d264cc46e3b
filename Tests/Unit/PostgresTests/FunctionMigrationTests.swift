import Migrations
import TestSupport
import Testing

@testable import Postgres

@Suite("Migration of function files", .timeLimit(.minutes(Patience.minutes(2))))
struct FunctionMigrationTests {
    private static func function(_ name: String, _ body: String) -> String {
        "CREATE OR REPLACE FUNCTION \(name) RETURNS integer LANGUAGE sql AS $$ \(body) $$;\n"
    }

    /// A function that uses one of a later file, that function, and triggers.
    private static let files = [
        "0001_a.sql": "CREATE TABLE a (n integer);",
        "functions/first.sql": function("first()", "SELECT second() + 1"),
        "functions/second.sql": function("second()", "SELECT 1")
            + "GRANT EXECUTE ON FUNCTION second TO neuroviews_app;",
        "functions/triggers.sql": """
        CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE OR REPLACE TRIGGER noted AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION note();
        CREATE OR REPLACE TRIGGER noted_too AFTER UPDATE ON a FOR EACH ROW EXECUTE FUNCTION note();
        """,
    ]

    private static let needsAnotherName = """
        ): a function with other arguments, other names of them or another result needs another name.
        """

    private static func files(with changes: [String: String], without name: String? = nil) -> [String: String] {
        files.merging(changes) { _, new in new }.filter { $0.key != name }
    }

    private static func migrated() async throws -> MigratedDatabase {
        let database = try await MigratedDatabase()
        try await database.migrate(files)
        return database
    }

    @Test("Function files are applied in any order, and again only after a change")
    func again() async throws {
        let database = try await MigratedDatabase()
        #expect(try await database.migrate(Self.files).applied == Self.files.keys.sorted())
        #expect(try await database.sql("SELECT first()") == ["2"])
        let written =
            "SELECT string_agg(xmin::text, ' ' ORDER BY oid) FROM pg_proc WHERE proname IN ('first', 'second')"
        let before = try await database.sql(written)
        #expect(try await database.migrate(Self.files).isEmpty)
        #expect(try await database.sql(written) == before)

        let changed = Self.files(with: ["functions/second.sql": Self.function("second()", "SELECT 10")])
        #expect(try await database.tryOut(changed).applied == ["functions/second.sql"])
        #expect(try await database.sql("SELECT first()") == ["2"])
        #expect(try await database.migrate(changed).applied == ["functions/second.sql"])
        #expect(try await database.sql("SELECT first()") == ["11"])
        #expect(try await database.conditions(changed).values.allSatisfy { $0.hasPrefix("applied") })
    }

    @Test("A function that no file defines any more is dropped")
    func dropped() async throws {
        let database = try await Self.migrated()
        let fewer = Self.files(with: ["functions/first.sql": Self.function("other()", "SELECT 1")])
        #expect(try await database.migrate(fewer).dropped == ["routine first()"])
        let all: Set = ["other()", "second()", "note()", "noted on a", "noted_too on a"]
        #expect(try await database.objects() == all)

        let lines =
            Self.files["functions/triggers.sql"]?.split(separator: "\n").dropLast().joined(separator: "\n") ?? ""
        let withoutTrigger = Self.files(with: ["functions/triggers.sql": lines], without: "functions/first.sql")
        #expect(try await database.migrate(withoutTrigger).dropped == ["trigger noted_too on a", "routine other()"])
        let gone = withoutTrigger.filter { $0.key != "functions/triggers.sql" }
        #expect(try await database.conditions(gone)["functions/triggers.sql"]?.hasPrefix("gone") == true)
        let changes = try await database.migrate(gone)
        #expect(changes == Migrator.Changes(dropped: ["trigger noted on a", "routine note()"]))
        #expect(try await database.objects() == ["second()"])
    }

    @Test("A role may execute a function only if a file grants it, also after an earlier grant")
    func grants() async throws {
        let database = try await Self.migrated()
        let granted = """
            SELECT proname || ' ' || (acl).grantee::regrole FROM (SELECT proname, aclexplode(proacl) AS acl FROM pg_proc
                WHERE pronamespace = 'neuroviews'::regnamespace AND proname IN ('first', 'second')) p ORDER BY 1
            """
        let owner = ["first neuroviews_owner", "second neuroviews_owner"]
        #expect(try await database.sql(granted) == [owner[0], "second neuroviews_app", owner[1]])
        try await database.migrate(Self.files(with: ["functions/second.sql": Self.function("second()", "SELECT 1")]))
        #expect(try await database.sql(granted) == owner)
    }

    @Test(
        "Two functions with one name are refused",
        arguments: ["first(n integer)", "second(n integer)"]
    )
    func overloads(name: String) async throws {
        let files = Self.files(with: ["functions/more.sql": Self.function(name, "SELECT n")])
        let problem = try await MigratedDatabase().problem(files)
        #expect(problem?.contains(Self.needsAnotherName) == true, "\(problem ?? "")")
    }

    @Test("A function with changed arguments needs another name, and nothing is applied")
    func otherArguments() async throws {
        let database = try await Self.migrated()
        let before = try await database.schema()
        let changes = [
            "functions/first.sql": Self.function("first()", "SELECT 7"),
            "functions/second.sql": Self.function("second(n integer DEFAULT 1)", "SELECT n"),
        ]
        let problem = try await database.problem(Self.files(with: changes))
        #expect(problem?.contains(Self.needsAnotherName) == true, "\(problem ?? "")")
        #expect(try await database.schema() == before)
        #expect(try await database.migrate(Self.files).isEmpty)
    }

    @Test(
        "A function with a changed result or changed argument names needs another name",
        arguments: [
            "CREATE OR REPLACE FUNCTION third(n integer) RETURNS bigint LANGUAGE sql AS $$ SELECT 1::bigint $$",
            "CREATE OR REPLACE FUNCTION third(m integer) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$",
        ]
    )
    func redefined(sql: String) async throws {
        let database = try await MigratedDatabase()
        let files = Self.files(with: ["functions/third.sql": Self.function("third(n integer)", "SELECT n")])
        try await database.migrate(files)
        let problem = try await database.problem(Self.files(with: ["functions/third.sql": sql]))
        #expect(problem?.hasPrefix("A migration failed and was undone (functions/third.sql: ") == true)
        #expect(problem?.contains(Self.needsAnotherName) == true)
        #expect(try await database.migrate(files).isEmpty)
    }

    @Test(
        "A broken function body is reported with its file, and nothing is applied",
        arguments: [
            "CREATE OR REPLACE FUNCTION third() RETURNS integer LANGUAGE sql AS $$ SELECT n FROM nowhere $$;",
            "CREATE OR REPLACE FUNCTION third() RETURNS integer LANGUAGE sql AS $$ SELECT 'x'::text $$;",
            "CREATE OR REPLACE FUNCTION third() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RETURN 1 END $$;",
        ]
    )
    func broken(sql: String) async throws {
        let database = try await Self.migrated()
        let before = try await database.schema()
        let changes = ["functions/second.sql": Self.function("second()", "SELECT 10"), "functions/third.sql": sql]
        let broken = Self.files(with: changes, without: "functions/triggers.sql")
        let problem = try await database.problem(broken)
        #expect(problem?.hasPrefix("Migration functions/third.sql failed and was undone: ") == true, "\(problem ?? "")")
        #expect(problem?.contains("needs another name") == false)
        #expect(try await database.schema() == before)
        #expect(try await database.conditions(broken)["functions/third.sql"] == "pending")
        #expect(try await database.migrate(Self.files).isEmpty)
    }

    @Test("Servers that start at once apply function files once")
    func atOnce() async throws {
        let database = try await MigratedDatabase()
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { try await database.migrate(Self.files).applied } }
            return try await group.reduce([], +)
        }
        #expect(applied.sorted() == Self.files.keys.sorted())
    }

    @Test(
        "A server keeps functions of a newer release, and replaces others",
        arguments: [("0.2.0", "0.1.0"), ("0.10.0", "0.9.9"), ("1.0.0", "0.10"), ("0.1.1", "0.1.1-rc.1")]
    )
    func releases(newer: String, older: String) async throws {
        let database = try await MigratedDatabase()
        try await database.migrate(Self.files, release: older)
        let later = Self.files(
            with: [
                "functions/second.sql": Self.function("second()", "SELECT 10"),
                "functions/later.sql": Self.function("later()", "SELECT 1"),
            ],
            without: "functions/triggers.sql"
        )
        #expect(try await !database.migrate(later, release: newer).dropped.isEmpty)
        let isNewer = !newer.hasPrefix(older.prefix { $0 != "-" })
        let conditions = try await database.conditions(Self.files, release: older)
        if isNewer {
            #expect(conditions["functions/first.sql"]?.hasPrefix("applied") == true)
            for name in ["functions/second.sql", "functions/later.sql", "functions/triggers.sql"] {
                #expect(conditions[name]?.hasPrefix("newer") == true, "\(name)")
            }
        }
        #expect(try await database.migrate(Self.files, release: older).applied.isEmpty == isNewer)
        #expect(try await database.sql("SELECT second()") == [isNewer ? "10" : "1"])
        #expect(try await database.migrate(later, release: newer).applied.isEmpty == isNewer)
    }

    @Test("An upgraded database equals a fresh one")
    func upgraded() async throws {
        let (upgraded, fresh) = (try await Self.migrated(), try await MigratedDatabase())
        let files = [
            "0001_a.sql": Self.files["0001_a.sql"] ?? "", "0002_b.sql": "ALTER TABLE a ADD COLUMN m text;",
            "functions/first.sql": Self.function("first()", "SELECT third()")
                + "GRANT EXECUTE ON FUNCTION first TO neuroviews_app;",
            "functions/second.sql": Self.function("second()", "SELECT max(n) FROM a WHERE m <> ''"),
            "functions/third.sql": Self.function("third()", "SELECT second()"),
        ]
        try await upgraded.migrate(files, release: "0.2.0")
        try await fresh.migrate(files, release: "0.2.0")
        #expect(try await upgraded.schema() == fresh.schema())
        #expect(try await fresh.schema().contains { $0.contains("third") })
    }
}
