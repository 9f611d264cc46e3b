import Foundation
import TestSupport
import Testing

@Suite("migrate status and migrate up --dry-run")
struct MigrateCommandTests {
    private let database: String
    private let places: [String]

    init() throws {
        database = try TestCluster.shared.get().makeDatabase()
        places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", database]
    }

    private func sql(_ text: String) throws -> String {
        let program = try Program.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", database], input: text + "\n")
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return program.output
    }

    private func status() throws -> Program { try Operator.run(["migrate", "status"] + places) }

    @Test("An empty database: all is pending, a dry run says what it would apply, and nothing stays")
    func life() throws {
        let before = try status()
        #expect(before.status == 1)
        let names = before.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(names.first == "0001_accounts.sql" && names.count >= 2)
        #expect(before.output.split(separator: "\n").allSatisfy { $0.hasSuffix(" pending") })

        let expected = names.map { "would apply \($0)\n" }.joined()
        #expect(try Operator.succeed(["migrate", "up", "--dry-run"] + places) == expected)
        #expect(try sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'neuroviews'") == "0\n")
        #expect(try status().output == before.output)

        #expect(try Operator.succeed(["migrate", "up"] + places) == names.map { "applied \($0)\n" }.joined())
        let after = try status()
        #expect(after.status == 0)
        #expect(after.output.split(separator: "\n").allSatisfy { $0.contains(" applied 20") && $0.hasSuffix("Z") })
        #expect(
            try Operator.succeed(["migrate", "--dry-run"] + places) == "nothing to apply: the database is up to date\n"
        )
    }

    @Test("A dry run finds a migration that will fail, and leaves everything as it was")
    func failing() throws {
        try Operator.succeed(["migrate"] + places)
        _ = try sql(
            """
            DELETE FROM neuroviews.schema_migrations WHERE number > 1;
            DROP TABLE neuroviews.configuration_conflicts CASCADE;
            """
        )
        let trial = try Operator.run(["migrate", "up", "--dry-run"] + places)
        #expect(trial.status == 69)
        #expect(trial.complaint.contains("0002_configurations.sql failed and was undone"))
        #expect(try sql("SELECT max(number) FROM neuroviews.schema_migrations") == "1\n")
        #expect(try status().status == 1)
    }

    @Test("A file with another content, and one of a newer server, are told with status 69")
    func misfits() throws {
        try Operator.succeed(["migrate"] + places)
        _ = try sql("UPDATE neuroviews.schema_migrations SET checksum = 'x' WHERE number = 2")
        let changed = try status()
        #expect(changed.status == 69)
        #expect(changed.output.contains(" with another content\n"))
        #expect(changed.complaint.contains("0002_configurations.sql was applied with another content"))
        _ = try sql(
            """
            DELETE FROM neuroviews.schema_migrations WHERE number = 2;
            INSERT INTO neuroviews.schema_migrations VALUES (99, '0099_later.sql', 'x')
            """
        )
        let newer = try status()
        #expect(newer.status == 69)
        #expect(newer.output.contains("0099_later.sql"))
        #expect(newer.output.contains(" by a newer server\n"))
        #expect(newer.complaint.contains("has migration 99"))
    }

    @Test("Without a database everything is pending, and none is made")
    func nowhere() throws {
        let data = Sandbox.makeFolder() + "/data"
        let program = try Operator.run(["migrate", "status", "--data", data])
        #expect(program.status == 1)
        #expect(!Operator.exists(data))
        #expect(try Operator.run(["migrate", "--dry-run", "--data", data]).complaint.contains("There is no database"))
        #expect(!Operator.exists(data))
    }
}
