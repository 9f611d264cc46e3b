import Foundation
import TestSupport
import Testing

@Suite("The commands migrate status and migrate up --dry-run", .blocking)
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

    @Test("A dry run on an empty database lists all migrations as pending and changes nothing")
    func life() throws {
        let before = try status()
        #expect(before.status == 1)
        let names = before.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(names.first == "0001_tables.sql" && names.contains("functions/sessions.sql"))
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

    @Test("A dry run reports a migration that will fail, and changes nothing")
    func failing() throws {
        try Operator.succeed(["migrate"] + places)
        _ = try sql(
            """
            UPDATE neuroviews.schema_functions SET checksum = 'x' WHERE name = 'functions/sync_heads.sql';
            DROP TABLE neuroviews.configuration_conflicts CASCADE;
            """
        )
        let trial = try Operator.run(["migrate", "up", "--dry-run"] + places)
        #expect(trial.status == 69)
        #expect(trial.complaint.contains("functions/sync_heads.sql failed and was undone"))
        #expect(try sql("SELECT count(*) FROM neuroviews.schema_functions WHERE checksum = 'x'") == "1\n")
        #expect(try status().status == 1)
    }

    @Test("Changed and removed functions are pending, and those of a newer server are not")
    func functions() throws {
        try Operator.succeed(["migrate"] + places)
        _ = try sql(
            """
            UPDATE neuroviews.schema_functions SET checksum = 'x' WHERE name = 'functions/nonces.sql';
            INSERT INTO neuroviews.schema_functions VALUES ('functions/old.sql', 'x', '0.0.1');
            CREATE FUNCTION neuroviews.old(n integer) RETURNS integer LANGUAGE sql AS 'SELECT 1';
            ALTER FUNCTION neuroviews.old OWNER TO neuroviews_owner;
            """
        )
        let pending = try status()
        #expect(pending.status == 1)
        #expect(pending.output.contains(" with another content\n"))
        #expect(pending.output.contains(", its functions will be dropped\n"))
        let changes = "would apply functions/nonces.sql\nwould drop routine old(integer)\n"
        #expect(try Operator.succeed(["migrate", "--dry-run"] + places) == changes)
        _ = try sql("UPDATE neuroviews.schema_functions SET release = '99.0.0'")
        let newer = try status()
        #expect(newer.status == 0)
        #expect(newer.output.contains(" by a newer server\n"))
        #expect(try Operator.succeed(["migrate"] + places) == "nothing to apply: the database is up to date\n")
        _ = try sql("UPDATE neuroviews.schema_functions SET release = '0.0.1'")
        #expect(
            try Operator.succeed(["migrate"] + places)
                == changes.replacingOccurrences(of: "would drop", with: "dropped")
                .replacingOccurrences(of: "would apply", with: "applied")
        )
        #expect(try status().status == 0)
    }

    @Test("migrate status names a file of a newer server with status 69")
    func misfits() throws {
        try Operator.succeed(["migrate"] + places)
        _ = try sql(
            """
            DELETE FROM neuroviews.schema_migrations;
            INSERT INTO neuroviews.schema_migrations VALUES (99, '0099_later.sql', 'x')
            """
        )
        let newer = try status()
        #expect(newer.status == 69)
        #expect(newer.output.contains("0099_later.sql"))
        #expect(newer.output.contains(" by a newer server\n"))
        #expect(newer.complaint.contains("has migration 0099_later.sql"))
    }

    @Test("A running server stays ready after a compatible migration, and not without its own migrations")
    func readiness() throws {
        let server = try ServerProcess(["--database-url", database])
        _ = try sql("INSERT INTO neuroviews.schema_migrations VALUES (99, '0099_later.sql', 'x')")
        #expect(try server.adminClient.send("GET", "/readyz").status == 200)
        _ = try sql("UPDATE neuroviews.schema_migrations SET compatible_from = 99 WHERE number = 99")
        #expect(try server.adminClient.send("GET", "/readyz").text.contains("has migration 99"))
        _ = try sql("DELETE FROM neuroviews.schema_migrations WHERE number = 99")
        #expect(try server.adminClient.send("GET", "/readyz").status == 200)
        _ = try sql("DELETE FROM neuroviews.schema_migrations")
        #expect(try server.adminClient.send("GET", "/readyz").status == 503)
        #expect(try server.stop() == 0)
    }

    @Test(
        "Every command refuses a database from before the first release with the same sentence",
        arguments: ["name = '0001_accounts.sql'", "name = '0001_baseline.sql'", "checksum = 'x'"]
    )
    func former(difference: String) throws {
        try Operator.succeed(["migrate"] + places)
        _ = try sql("UPDATE neuroviews.schema_migrations SET \(difference)")
        let status = try status()
        #expect(status.status == 69)
        #expect(
            status.output.split(separator: "\n").allSatisfy { $0.hasSuffix(" by a server before the first release") }
        )
        for command in [["migrate"], ["migrate", "--dry-run"], ["serve"]] {
            let program = try Operator.run(command + places)
            #expect(program.status == 69, "\(command)")
            #expect(program.complaint.hasSuffix(status.complaint), "\(command): \(program.complaint)")
        }
        #expect(status.complaint.contains("start with an empty one"))
    }

    @Test("migrate status without a database lists everything as pending and creates none")
    func nowhere() throws {
        let data = Sandbox.makeFolder() + "/data"
        let program = try Operator.run(["migrate", "status", "--data", data])
        #expect(program.status == 1)
        #expect(!Operator.exists(data))
        #expect(try Operator.run(["migrate", "--dry-run", "--data", data]).complaint.contains("There is no database"))
        #expect(!Operator.exists(data))
    }
}
