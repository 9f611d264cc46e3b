import Foundation
import TestSupport
import Testing

/// Tests/FrozenSchemas/README.md describes how to freeze a schema.
@Suite("Databases of released servers", .blocking)
struct FrozenSchemaTests {
    private static let folder = Repository.path + "/Tests/FrozenSchemas/"
    private static let versions = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".sql") }.map { String($0.dropLast(4)) }.sorted()

    /// A new database with the release's schema, or an empty one.
    private static func makeDatabase(of version: String?) throws -> String {
        let cluster = try TestCluster.shared.get()
        let database = try cluster.makeDatabase()
        guard let version else { return database }
        // The roles belong to the cluster, and may not exist yet.
        _ = try migrate(try cluster.makeDatabase())
        let program = try Program.run([
            "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", "\(folder)\(version).sql", database,
        ])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return database
    }

    private static func migrate(_ database: String, _ options: [String] = []) throws -> Program {
        let places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", database]
        return try Operator.run(["migrate"] + options + places)
    }

    @Test("An upgrade gives the schema of a new database", arguments: versions)
    func upgrade(version: String) throws {
        let (old, new) = (try Self.makeDatabase(of: version), try Self.makeDatabase(of: nil))
        for database in [old, new] {
            let program = try Self.migrate(database)
            #expect(program.status == 0, "\(program.complaint)")
        }
        let differences = try SchemaDump.lines(of: old).difference(from: SchemaDump.lines(of: new))
        #expect(differences.isEmpty, "\(differences)")
    }

    @Test("The SQL of a version that was frozen does not change any more")
    func current() throws {
        let words = try Operator.succeed(["--version"]).split(whereSeparator: \.isWhitespace)
        let version = try #require(words.last.map(String.init))
        guard Self.versions.contains(version) else { return }
        let trial = try Self.migrate(Self.makeDatabase(of: version), ["--dry-run"])
        #expect(
            trial.output == "nothing to apply: the database is up to date\n",
            """
            \(version) was frozen with other SQL: raise the version or, before its release, run Tests/FrozenSchemas/freeze. \
            \(trial.output)\(trial.complaint)
            """
        )
    }

    @Test("There is a frozen schema")
    func some() { #expect(!Self.versions.isEmpty) }
}
