import Glibc
import Postgres

extension PrivateCluster {
    /// PostgreSQL reloads its account maps within milliseconds.
    private static let reloadMaxSeconds = 10.0
    /// The time in which a PostgreSQL that was killed meanwhile is started again.
    private static let absenceMaxMs = 60_000
    /// The session of a killed server may go on with the same statements, and two that change one row at once fail.
    static let rolesLock = Migrator.lock + 1

    /// Gives each role its login. Revokes from PUBLIC functions with which a statement could get around its role's limits.
    /// In a cluster of an older server it removes the owner's CREATEROLE. The server is superuser only in this session.
    func prepareRoles() throws(PrivateClusterProblem) {
        let begin = ContinuousClock.now
        while let failure = attemptRoles() {
            guard failure.isAbsence, begin.elapsedMs < Self.absenceMaxMs else { throw failure.problem }
            usleep(50_000)
            try running.withLock { (running) throws(PrivateClusterProblem) in try startAgainIfEnded(&running) }
        }
    }

    private struct RoleFailure {
        let problem: PrivateClusterProblem
        /// True if PostgreSQL went away on the way, or recovers.
        let isAbsence: Bool
    }

    private func attemptRoles() -> RoleFailure? {
        do throws(DatabaseError) {
            let session = try BlockingSession(administratorConnectionString)
            try session.execute("SET lock_timeout = '20s'; SELECT pg_advisory_lock(\(Self.rolesLock))")
            try session.execute(Migrator.current.administration)
            try session.execute(ClusterConfiguration.ownership)
            // An adopted PostgreSQL may still use the files of an older server.
            try session.execute("SELECT pg_reload_conf()")
        } catch {
            return RoleFailure(
                problem: .roles(Self.reason(error), log: location.cluster + "/log"),
                isAbsence: error.isAbsence
            )
        }
        let isIn = poll(seconds: Self.reloadMaxSeconds) { self.letsRolesIn ? true : self.hasEnded ? false : nil }
        guard isIn != true else { return nil }
        return RoleFailure(
            problem: .timeout(what: "let its roles in", seconds: Int(Self.reloadMaxSeconds), log: location.log),
            // A killed process of PostgreSQL makes it recover, which may take longer.
            isAbsence: isIn == false || !answers
        )
    }

    private var hasEnded: Bool { running.withLock { !isAlive($0) } }

    /// Without the remedies for a configured database.
    private static func reason(_ error: DatabaseError) -> String {
        switch error {
        case .unavailable(let reason), .connectionLost(let reason), .unusable(.login(let reason)): reason
        case .refused(let refusal): refusal.loggable
        case .unusable(let reason): "\(reason)"
        }
    }

    private var letsRolesIn: Bool {
        // Refused until PostgreSQL has read its maps again; its log has each refusal, and the time limit names the log.
        [logins.application, logins.background].allSatisfy { (try? BlockingSession($0)) != nil }
    }
}
