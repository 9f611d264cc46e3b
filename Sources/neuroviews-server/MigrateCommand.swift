import Migrations
import Postgres

/// `migrate`: brings the database up to date, tries that out, or says where it stands.
struct MigrateCommand {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// Applies what is missing and says what it was.
    func run() throws {
        let database = try DatabaseAddress.startOrJoin(settings)
        defer { database.cluster?.stop() }
        report(try Migrator.current.run(database.connectionString), as: "applied")
    }

    /// Says what `run` would apply, after it went through once and was taken back.
    func tryOut() throws {
        let database = try DatabaseAddress.startOrJoinExisting(settings)
        defer { database.cluster?.stop() }
        report(try Migrator.current.tryOut(database.connectionString), as: "would apply")
    }

    /// A line a migration. The status is 1 when something is pending, and 69 when this server can't serve the database.
    func printStatus() throws -> Int32 {
        let states = try states()
        for state in states { StandardStreams.print(state.line) }
        try refuseMisfits(states)
        return states.contains { $0.condition == .pending } ? 1 : 0
    }

    private func states() throws -> [MigrationState] {
        guard try DatabaseAddress.exists(settings) else { return Migrator.current.untouched }
        let database = try DatabaseAddress.startOrJoin(settings)
        defer { database.cluster?.stop() }
        return try Migrator.current.status(database.connectionString)
    }

    private func refuseMisfits(_ states: [MigrationState]) throws {
        for state in states {
            switch state.condition {
            case .pending, .applied: continue
            case .changed: throw MigrationError.changed(name: state.name)
            case .unknown: throw MigrationError.newer(number: state.number)
            }
        }
    }

    private func report(_ names: [String], as verb: String) {
        for name in names { StandardStreams.print("\(verb) \(name)\n") }
        if names.isEmpty { StandardStreams.print("nothing to apply: the database is up to date\n") }
    }
}

extension MigrationState {
    /// `0001  0001_accounts.sql        applied 2026-11-21T10:00:00Z`
    var line: String {
        let padded = name.count < 32 ? name + String(repeating: " ", count: 32 - name.count) : name + " "
        return "\(padded)\(condition.text)\n"
    }
}

extension MigrationState.Condition {
    /// For a line of the status.
    var text: String {
        switch self {
        case .pending: "pending"
        case .applied(let time): "applied \(time)"
        case .changed(let time): "applied \(time) with another content"
        case .unknown(let time): "applied \(time) by a newer server"
        }
    }
}

extension Migrator {
    /// This server's migrations.
    static let current = Migrator(
        roles: Migration.roles,
        files: Migration.all.map { MigrationFile(number: $0.number, name: $0.name, sql: $0.sql) }
    )
}
