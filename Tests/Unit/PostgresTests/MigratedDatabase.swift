import Migrations
import TestSupport

@testable import Postgres

/// A database to which a test applies its files.
struct MigratedDatabase: Sendable {
    let connectionString: String

    /// Creates an empty database.
    init() async throws {
        connectionString = try await onThread { try TestCluster.shared.get().makeDatabase() }
    }

    /// An existing database.
    init(_ connectionString: String) { self.connectionString = connectionString }

    private static func migrator(_ files: [String: String], _ release: String) -> Migrator {
        Migrator(files.merging(SchemaFiles.roles) { own, _ in own }, release: release)
    }

    /// Applies the files, like a server of this release.
    @discardableResult
    func migrate(_ files: [String: String], release: String = "0.1.0") async throws -> Migrator.Changes {
        try await onThread { try Self.migrator(files, release).run(connectionString) }
    }

    /// The same, rolled back.
    func tryOut(_ files: [String: String]) async throws -> Migrator.Changes {
        try await onThread { try Self.migrator(files, "0.1.0").tryOut(connectionString) }
    }

    /// The error of a migration; nil if it succeeds.
    func problem(_ files: [String: String], release: String = "0.1.0") async throws -> String? {
        do {
            try await migrate(files, release: release)
            return nil
        } catch let error as MigrationError {
            return error.description
        }
    }

    /// The conditions of the files as text, by file name.
    func conditions(_ files: [String: String], release: String = "0.1.0") async throws -> [String: String] {
        let states = try await onThread { try Self.migrator(files, release).status(connectionString) }
        return Dictionary(uniqueKeysWithValues: states.map { ($0.name, "\($0.condition)") })
    }

    /// Runs statements as superuser, and returns the first column of the result.
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
    /// The file that every migrator needs.
    static let roles = ["roles.sql": all["roles.sql"] ?? ""]
}
