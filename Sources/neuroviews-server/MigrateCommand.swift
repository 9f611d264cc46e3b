import Migrations
import Postgres

/// `migrate`: brings the database up to date and says what was applied.
struct MigrateCommand {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func run() throws {
        let database = try DatabaseAddress.startOrJoin(settings)
        defer { database.cluster?.stop() }
        let applied = try Migrator.current.run(database.connectionString)
        for name in applied { StandardStreams.print("applied \(name)\n") }
        if applied.isEmpty { StandardStreams.print("nothing to apply: the database is up to date\n") }
    }
}

extension Migrator {
    /// This server's migrations.
    static let current = Migrator(
        roles: Migration.roles,
        files: Migration.all.map { MigrationFile(number: $0.number, name: $0.name, sql: $0.sql) }
    )
}
