import Migrations
import TestSupport

@testable import Postgres

/// A database that the files of a test are applied to.
struct MigratedDatabase: Sendable {
    let connectionString: String

    /// An empty one.
    init() async throws {
        connectionString = try await onThread { try TestCluster.shared.get().makeDatabase() }
    }

    /// The database that a connection string names.
    init(_ connectionString: String) { self.connectionString = connectionString }

    private static func migrator(_ files: [String: String], _ release: String) -> Migrator {
        Migrator(files.merging(SchemaFiles.roles) { own, _ in own }, release: release)
    }

    /// Applies the files as a server of that version does.
    @discardableResult
    func migrate(_ files: [String: String], release: String = "0.1.0") async throws -> Migrator.Changes {
        try await onThread { try Self.migrator(files, release).run(connectionString) }
    }

    /// The same, taken back.
    func tryOut(_ files: [String: String]) async throws -> Migrator.Changes {
        try await onThread { try Self.migrator(files, "0.1.0").tryOut(connectionString) }
    }

    /// The sentence that a migration ends with; nil when it goes through.
    func problem(_ files: [String: String], release: String = "0.1.0") async throws -> String? {
        do {
            try await migrate(files, release: release)
            return nil
        } catch let error as MigrationError {
            return error.description
        }
    }

    /// The conditions of the files, as text, by their names.
    func conditions(_ files: [String: String], release: String = "0.1.0") async throws -> [String: String] {
        let states = try await onThread { try Self.migrator(files, release).status(connectionString) }
        return Dictionary(uniqueKeysWithValues: states.map { ($0.name, "\($0.condition)") })
    }

    /// The first column of what the superuser's statements return.
    @discardableResult
    func sql(_ text: String) async throws -> [String] {
        try await onThread {
            let rows = try BlockingSession(connectionString).execute("SET search_path = neuroviews; " + text)
            return (0..<rows.count).map { rows[$0].text(0) ?? "" }
        }
    }

    /// The functions and triggers.
    func objects() async throws -> Set<String> {
        let names = try await sql(
            """
            SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'neuroviews'::regnamespace
            UNION ALL SELECT tgname || ' on ' || tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal
            """
        )
        return Set(names)
    }

    /// All definitions and grants.
    func schema() async throws -> [String] {
        try await onThread { try SchemaDump.lines(of: connectionString) }
    }
}

extension SchemaFiles {
    /// What every migrator needs.
    static let roles = ["roles.sql": all["roles.sql"] ?? ""]
}
