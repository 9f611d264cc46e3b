import FoundationEssentials
import Glibc
import Machine
import PrivateCluster
import Settings

/// The database of a command: the configured one, or the private cluster of the data folder.
package struct DatabaseAddress {
    package let logins: DatabaseLogins
    /// The owner's connection string, for commands.
    let connectionString: String
    /// The cluster that this process started. The command stops it at its end.
    package let cluster: PrivateCluster?

    private init(_ logins: DatabaseLogins, _ cluster: PrivateCluster?) throws {
        guard let owner = logins.owner else {
            throw CommandFailure(
                "Only the database's owner can do that: set NEUROVIEWS_OWNER_DATABASE_URL for this command."
            )
        }
        self.logins = logins
        connectionString = owner
        self.cluster = cluster
    }

    /// For `serve`: starts the private cluster, which no other process may run.
    package static func serve(
        _ settings: Settings,
        onEvent: @escaping @Sendable (PrivateCluster.Event) -> Void
    ) throws -> (logins: DatabaseLogins, cluster: PrivateCluster?) {
        if let logins = DatabaseLogins(settings) { return (logins, nil) }
        let cluster = try PrivateCluster.start(
            dataDirectory: settings.data,
            maxConnections: max(100, settings.connectionsNeeded),
            onEvent: onEvent
        )
        return (cluster.logins, cluster)
    }

    /// Does the same for a command that needs the owner.
    static func start(_ settings: Settings) throws -> DatabaseAddress {
        let (logins, cluster) = try serve(settings) { event in
            if case .failed(let problem) = event { StandardStreams.complain("\(problem)") }
        }
        return try DatabaseAddress(logins, cluster)
    }

    /// For a command beside a server: uses the running cluster, or starts it until the command ends.
    package static func startOrJoin(_ settings: Settings) throws -> DatabaseAddress {
        do {
            return try start(settings)
        } catch PrivateClusterProblem.lock(.inUse) {
            return try DatabaseAddress(try PrivateCluster.joinRunning(dataDirectory: settings.data), nil)
        }
    }

    /// Like `startOrJoin`, for a command that needs existing data. It never makes an empty cluster.
    static func startOrJoinExisting(_ settings: Settings) throws -> DatabaseAddress {
        guard try exists(settings) else {
            throw CommandFailure(
                "There is no database in the data folder \(settings.data): name the right one with NEUROVIEWS_DATA, or set "
                    + "NEUROVIEWS_DATABASE_URL."
            )
        }
        return try startOrJoin(settings)
    }

    /// True if a database is configured or a private cluster exists.
    static func exists(_ settings: Settings) throws -> Bool {
        if settings.databaseURL != nil { return true }
        return try ClusterLocation.knownCluster(data: settings.dataFolder).map(ClusterLocation.isInitialised) ?? false
    }
}
