import Foundation
import TestSupport
import Testing

/// The schemas of releases.
private enum FrozenSchemas {
    static let folder = Repository.path + "/Tests/FrozenSchemas/"
    static let versions = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".sql") }.map { String($0.dropLast(4)) }.sorted()
}

/// Tests/FrozenSchemas/README.md describes how to freeze a schema.
@Suite("Databases of released versions", .blocking, .enabled(if: !FrozenSchemas.versions.isEmpty, "no release yet"))
struct FrozenSchemaTests {
    /// A new database with the release's schema, or an empty one.
    private static func makeDatabase(of version: String?) throws -> String {
        let cluster = try TestCluster.shared.get()
        let database = try cluster.makeDatabase()
        guard let version else { return database }
        // The roles belong to the cluster, and may not exist yet.
        _ = try migrate(try cluster.makeDatabase())
        let program = try Program.run([
            "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", "\(FrozenSchemas.folder)\(version).sql", database,
        ])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return database
    }

    private static func migrate(_ database: String, _ options: [String] = []) throws -> Program {
        let places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", database]
        return try Operator.run(["migrate"] + options + places)
    }

    @Test("A released version's database has a new one's schema after its upgrade", arguments: FrozenSchemas.versions)
    func upgrade(version: String) throws {
        let (old, new) = (try Self.makeDatabase(of: version), try Self.makeDatabase(of: nil))
        for database in [old, new] {
            let program = try Self.migrate(database)
            #expect(program.status == 0, "\(program.complaint)")
        }
        let differences = try SchemaDump.lines(of: old).difference(from: SchemaDump.lines(of: new))
        #expect(differences.isEmpty, "\(differences)")
    }

    @Test("The SQL of a frozen version stays the same")
    func current() throws {
        let words = try Operator.succeed(["--version"]).split(whereSeparator: \.isWhitespace)
        let version = try #require(words.last.map(String.init))
        guard FrozenSchemas.versions.contains(version) else { return }
        let trial = try Self.migrate(Self.makeDatabase(of: version), ["--dry-run"])
        #expect(
            trial.output == "nothing to apply: the database is up to date\n",
            """
            \(version) was frozen with other SQL: raise the version. \
            \(trial.output)\(trial.complaint)
            """
        )
    }
}
