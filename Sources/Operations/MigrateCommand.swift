import Machine
import Postgres
import PrivateCluster
import Settings

/// `migrate`: updates the database, tries the update, or prints the status.
package struct MigrateCommand {
    let settings: Settings

    package init(_ settings: Settings) { self.settings = settings }

    /// Ends an interrupted restore, applies pending files and prints them.
    package func run() throws {
        let database = try CommandDatabase.openOrJoin(settings)
        defer { database.close() }
        try RestoreJournal.settle(settings, database.ownerLogin)
        report(try Migrator.current.run(database.ownerLogin), ["applied", "dropped"])
    }

    /// Prints the changes of `run`, after running them in a transaction that is rolled back.
    package func tryOut() throws {
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        report(try Migrator.current.tryOut(database.ownerLogin), ["would apply", "would drop"])
    }

    /// Prints one line for each file. Returns status 1 if a file is pending. Fails with status 69 if this server can't
    /// serve the database.
    package func printStatus() throws -> Int32 {
        let states = try states()
        for state in states { StandardStreams.print(state.line) }
        if let misfit = states.lazy.compactMap(\.misfit).first { throw misfit }
        return states.contains(where: \.isPending) ? 1 : 0
    }

    private func states() throws -> [MigrationState] {
        guard try CommandDatabase.exists(settings) else { return Migrator.current.untouched }
        let database = try CommandDatabase.openOrJoin(settings)
        defer { database.close() }
        return try Migrator.current.status(database.ownerLogin)
    }

    private func report(_ changes: Migrator.Changes, _ verbs: [String]) {
        for (verb, names) in zip(verbs, [changes.applied, changes.dropped]) {
            for name in names { StandardStreams.print("\(verb) \(name)\n") }
        }
        if changes.isEmpty { StandardStreams.print("nothing to apply: the database is up to date\n") }
    }
}

extension MigrationState {
    /// `0001_tables.sql        applied 2026-11-21T10:00:00Z`
    var line: String {
        let padded = name.count < 32 ? name + String(repeating: " ", count: 32 - name.count) : name + " "
        return "\(padded)\(condition.text)\n"
    }
}

extension MigrationState.Condition {
    /// The text for a status line.
    var text: String {
        switch self {
        case .pending: "pending"
        case .applied(let time): "applied \(time)"
        case .changed(let time): "applied \(time) with another content"
        case .unknown(let time), .newer(let time): "applied \(time) by a newer server"
        case .former(let time): "applied \(time) by a server before the first release"
        case .outdated(let time): "pending; applied \(time) with another content"
        case .gone(let time): "pending; applied \(time), its functions will be dropped"
        }
    }
}
