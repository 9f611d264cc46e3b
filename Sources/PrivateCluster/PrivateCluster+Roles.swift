import Postgres

extension PrivateCluster {
    /// PostgreSQL reloads its account maps within milliseconds.
    private static let reloadMaxSeconds = 10.0

    /// Gives each role its login. Revokes from PUBLIC functions with which a statement could get around its role's limits.
    /// In a cluster of an older server it removes the owner's CREATEROLE. The server is superuser only in this session.
    func prepareRoles() throws(PrivateClusterProblem) {
        do throws(DatabaseError) {
            let session = try BlockingSession(administratorConnectionString)
            try session.execute(Migrator.current.administration)
            try session.execute(ClusterConfiguration.ownership)
            // An adopted PostgreSQL may still use the files of an older server.
            try session.execute("SELECT pg_reload_conf()")
        } catch {
            throw .roles(Self.reason(error), log: location.cluster + "/log")
        }
        guard poll(seconds: Self.reloadMaxSeconds, { self.letsRolesIn ? true : nil }) == true else {
            throw .timeout(what: "let its roles in", seconds: Int(Self.reloadMaxSeconds), log: location.log)
        }
    }

    /// Without the remedies for a configured database.
    private static func reason(_ error: DatabaseError) -> String {
        switch error {
        case .unavailable(let reason), .connectionLost(let reason), .unusable(.login(let reason)): reason
        case .refused(let refusal): refusal.loggable
        case .unusable(let reason): "\(reason)"
        }
    }

    private var letsRolesIn: Bool {
        [logins.application, logins.background].allSatisfy { (try? BlockingSession($0)) != nil }
    }
}
