import Settings

/// The server's logins to PostgreSQL: libpq connection strings for its three roles (Migrations/administrator.sql). One
/// login may be used for all of them.
package struct DatabaseLogins: Equatable, Sendable {
    /// For requests of users.
    package let application: String
    /// For logins of users, sweeps and jobs.
    package let background: String
    /// For migrations and operators' commands; nil if this process must not have it.
    package let owner: String?

    /// True if one login has both roles, so a statement of one role could switch to the other.
    package var isOneForAll: Bool { application == background }
}

extension DatabaseLogins {
    /// The configured logins; nil for a private cluster.
    package init?(_ settings: Settings) {
        guard let application = settings.databaseURL else { return nil }
        self.application = application
        background = settings.backgroundDatabaseURL ?? application
        owner = settings.ownerDatabaseURL ?? (settings.backgroundDatabaseURL == nil ? application : nil)
    }

    /// The logins of a private cluster. The kernel authenticates each of them (peer).
    package init(socketFolder: String) {
        func login(_ user: String) -> String {
            ClusterConfiguration.connectionString(socketFolder: socketFolder, user: user)
        }
        self.init(
            application: login(ClusterConfiguration.application),
            background: login(ClusterConfiguration.background),
            owner: login(ClusterConfiguration.owner)
        )
    }
}
