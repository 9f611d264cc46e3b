import Settings

/// The database of a process: the configured one, or the private cluster that this process starts.
package struct StartedDatabase {
    package let logins: DatabaseLogins
    /// The cluster that this process runs and stops; nil with a configured database.
    package let cluster: PrivateCluster?

    /// Starts the private cluster, which no other process may run, unless a database is configured.
    package init(_ settings: Settings, onEvent: @escaping @Sendable (PrivateCluster.Event) -> Void) throws {
        if let logins = DatabaseLogins(settings) {
            (self.logins, cluster) = (logins, nil)
        } else {
            let started = try PrivateCluster.start(
                dataDirectory: settings.data,
                maxConnections: max(100, settings.connectionsNeeded),
                onEvent: onEvent
            )
            (logins, cluster) = (started.logins, started)
        }
    }
}
