/// How the server logs in to PostgreSQL: libpq's connection strings for its three roles (Migrations/administrator.sql). One login may serve for
/// all of them.
struct DatabaseLogins: Equatable, Sendable {
    /// Requests of users.
    let application: String
    /// Logins of users, sweeps and jobs.
    let background: String
    /// Migrations and operators' commands; nil: this process is not to have it.
    let owner: String?

    /// Whether a statement of one role could take on the others.
    var isOneForAll: Bool { application == background }
}

extension DatabaseLogins {
    /// As they are set; nil: a private cluster.
    init?(_ settings: Settings) {
        guard let application = settings.databaseURL else { return nil }
        self.application = application
        background = settings.backgroundDatabaseURL ?? application
        owner = settings.ownerDatabaseURL ?? (settings.backgroundDatabaseURL == nil ? application : nil)
    }

    /// Those of a private cluster, each of which the kernel lets in (peer).
    init(socketFolder: String) {
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
