/// The database a command works on: the one that was set, or the private cluster of the data folder.
struct DatabaseAddress {
    let connectionString: String
    /// The cluster that this process runs, and ends when the command is done.
    let cluster: PrivateCluster?

    /// For `serve`: starts the private cluster, which no other process may be running.
    static func start(_ settings: Settings, _ log: LogWriter) throws -> DatabaseAddress {
        if let url = settings.databaseURL { return DatabaseAddress(connectionString: url, cluster: nil) }
        let cluster = try PrivateCluster.start(
            dataDirectory: settings.data,
            maxConnections: max(100, settings.connectionsNeeded)
        ) { event in log.write(event) }
        return DatabaseAddress(connectionString: cluster.connectionString, cluster: cluster)
    }

    /// For a command beside a server: uses the cluster that runs, or starts it for as long as the command takes.
    static func startOrJoin(_ settings: Settings) throws -> DatabaseAddress {
        do {
            return try start(settings, LogWriter(level: .error))
        } catch PrivateClusterProblem.lock(.inUse) {
            let connectionString = try PrivateCluster.joinRunning(dataDirectory: settings.data)
            return DatabaseAddress(connectionString: connectionString, cluster: nil)
        }
    }
}

extension Settings {
    /// What all pools may open, and some for migrations and an operator.
    var connectionsNeeded: Int { eventLoops * (databaseConnections + 4) + 20 }
}
