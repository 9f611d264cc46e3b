import Machine
import Postgres
import PrivateCluster
import Settings

/// Checks the database. Starts nothing.
struct DatabaseCheck {
    let settings: Settings
    let place: DataPlace

    init(_ settings: Settings, _ place: DataPlace) {
        self.settings = settings
        self.place = place
    }

    func findings() -> [Finding] {
        guard let logins = DatabaseLogins(settings) ?? running else { return stopped }
        // libpq's message about an invalid string may quote a password.
        guard [logins.application, logins.background, logins.owner ?? ""].allSatisfy({ ConnectionOptions($0) != nil })
        else {
            return [.wrong("database", "NEUROVIEWS_DATABASE_URL can't be understood", "write it as libpq wants it")]
        }
        do {
            let connection = try BlockingSession(logins.owner ?? logins.background)
            let role = logins.owner == nil ? ClusterConfiguration.background : DatabaseRole.ownerName
            return try findings(ExaminedDatabase(connection, as: role), logins)
        } catch {
            return [.wrong("database", sentence: (error as? DatabaseError)?.sentence ?? "\(error)")]
        }
    }

    /// The private cluster does not run. A server that needs it starts it again by itself.
    private var stopped: [Finding] {
        guard let cluster = place.cluster else { return [] }
        guard let server = place.server else {
            return [.ok("database", "does not run; beside a running server there is more to see")]
        }
        let log = FilePath.folder(of: cluster) + "/postgres.log"
        return [
            .wrong(
                "database",
                "PostgreSQL does not run, and process \(server) needs it",
                "wait a minute, since the server starts it again; then \(log) and the server's log name the obstacle"
            )
        ]
    }

    private func findings(_ database: ExaminedDatabase, _ logins: DatabaseLogins) throws -> [Finding] {
        let server = try server(database)
        let roles = try RoleCheck(logins, database).findings()
        // Without its role this connection cannot read the tables.
        guard !roles.contains(where: { $0.verdict == .wrong }) else { return server + roles }
        return server + roles + migrations(database)
            + (try SecretCheck(settings).findings(database)) + (try ClockCheck().findings(database))
            + (try JobCheck(settings).findings(database))
    }

    /// The logins of the private cluster, if it runs.
    private var running: DatabaseLogins? {
        guard let cluster = place.cluster, let file = PostmasterFile.read(cluster), file.isReady,
            !PostmasterFile.hasEnded(file.process)
        else { return nil }
        LibpqEnvironment.forget()
        return DatabaseLogins(socketFolder: file.socketFolder)
    }

    private func migrations(_ database: ExaminedDatabase) -> [Finding] {
        guard database.isUsable else { return [] }
        do throws(DatabaseError) {
            return [Self.finding(try Migrator.current.status(database.connection, as: database.tableRole))]
        } catch {
            return [.wrong("migrations", sentence: error.sentence)]
        }
    }

    private static func finding(_ states: [MigrationState]) -> Finding {
        if let misfit = states.lazy.compactMap(\.misfit).first {
            return .wrong("migrations", sentence: misfit.description)
        }
        let pending = states.count(where: \.isPending)
        if pending == 0 { return .ok("migrations", "all \(states.count) files are applied") }
        return .ok("migrations", "\(pending) of \(states.count) files will be applied by the next start")
    }
}
