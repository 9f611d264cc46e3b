import Machine
import PrivateCluster
import Settings

/// The owner's access to the database of a command: to the configured one, or to the private cluster of the data folder.
package struct CommandDatabase {
    package let logins: DatabaseLogins
    /// The owner's connection string.
    let ownerLogin: String
    /// The cluster that this process started.
    private let cluster: PrivateCluster?

    private init(_ logins: DatabaseLogins, _ cluster: PrivateCluster?) throws {
        guard let owner = logins.owner else {
            throw CommandFailure(
                "Only the database's owner can do that: set NEUROVIEWS_OWNER_DATABASE_URL for this command."
            )
        }
        self.logins = logins
        ownerLogin = owner
        self.cluster = cluster
    }

    /// Stops the cluster that `open` started. Call it at the end of the command.
    package func close() { cluster?.stop() }

    /// For a command that no server may run beside: starts the private cluster.
    static func open(_ settings: Settings) throws -> CommandDatabase {
        let database = try StartedDatabase(settings) { event in
            if case .failed(let problem) = event { StandardStreams.complain("\(problem)") }
        }
        return try CommandDatabase(database.logins, database.cluster)
    }

    /// For a command beside a server: uses the running cluster, or starts it until the command ends. `seconds` limits the
    /// wait for a cluster that another process runs.
    package static func openOrJoin(_ settings: Settings, waiting seconds: Int? = nil) throws -> CommandDatabase {
        do {
            return try open(settings)
        } catch PrivateClusterProblem.lock(.inUse) {
            let running = try PrivateCluster.joinRunning(dataDirectory: settings.data, waiting: seconds)
            return try CommandDatabase(running, nil)
        }
    }

    /// Like `openOrJoin`, for a command that needs existing data. It never makes an empty cluster.
    static func openExisting(_ settings: Settings, waiting seconds: Int? = nil) throws -> CommandDatabase {
        guard try exists(settings) else {
            throw CommandFailure(
                "There is no database in the data folder \(settings.data): name the right one with NEUROVIEWS_DATA, or set "
                    + "NEUROVIEWS_DATABASE_URL."
            )
        }
        return try openOrJoin(settings, waiting: seconds)
    }

    /// True if a database is configured or a private cluster exists.
    static func exists(_ settings: Settings) throws -> Bool {
        if settings.databaseURL != nil { return true }
        return try ClusterLocation.knownCluster(data: settings.dataFolder).map(ClusterLocation.isInitialised) ?? false
    }
}
