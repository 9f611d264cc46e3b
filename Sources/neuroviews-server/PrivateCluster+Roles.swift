import Postgres

extension PrivateCluster {
    /// PostgreSQL reads its maps of accounts again within milliseconds.
    private static let reloadMaxSeconds = 10.0

    /// Gives each role its login, and takes from everybody what one statement could use against the limits of its role. Only here somebody
    /// logs in as the superuser. In a cluster of an older server, it ends the owner's right to change roles.
    func prepareRoles() throws(PrivateClusterProblem) {
        do throws(DatabaseError) {
            let session = try BlockingSession(administratorConnectionString)
            try session.execute(Migrator.current.administration)
            try session.execute(ClusterConfiguration.ownership)
            // PostgreSQL that was adopted may run with the files of an older server.
            try session.execute("SELECT pg_reload_conf()")
        } catch {
            throw .roles(error.sentence)
        }
        guard poll(seconds: Self.reloadMaxSeconds, { self.letsRolesIn ? true : nil }) == true else {
            throw .timeout(what: "let its roles in", seconds: Int(Self.reloadMaxSeconds), log: location.log)
        }
    }

    private var letsRolesIn: Bool {
        [logins.application, logins.background].allSatisfy { (try? BlockingSession($0)) != nil }
    }
}
