import Foundation
import Testing

@testable import Machine
@testable import PrivateCluster

/// It takes more than a second to make a cluster, so several checks share one.
@Suite("The private PostgreSQL cluster", .blocking, .serialized)
struct PrivateClusterTests {
    @Test("A private cluster is made and restarted, survives SIGKILL, and refuses a second server")
    func life() throws {
        let trial = try ClusterTrial()
        var cluster: PrivateCluster? = try trial.start()
        try fresh(trial, try #require(cluster))
        try stopped(trial, try #require(cluster))
        // The number in the file now belongs to another program of the same account. The cluster must start
        // nevertheless.
        let account = try #require(cluster).account
        let stranger = try ChildProcess(account.command("/bin/sleep", ["60"]), log: trial.folder.path + "/log")
        defer { kill(stranger.number, SIGKILL) }
        try Data("\(stranger.number)\n".utf8).write(to: URL(fileURLWithPath: trial.data + "/postgres/postmaster.pid"))
        // pg_upgrade moves the data to a cluster with initdb's own file.
        try Data().write(to: URL(fileURLWithPath: trial.data + "/postgres/postgresql.conf"))
        cluster = nil
        cluster = try trial.start()
        #expect(trial.query(try #require(cluster).connectionString, "show cluster_name") == "neuroviews")
        #expect(!PostmasterFile.hasEnded(stranger.number))
        #expect(trial.query(try #require(cluster).connectionString, "select x from kept") == "1")
        try adopted(trial, &cluster)
        let running = try #require(cluster)
        defer { running.stop() }
        running.supervise()
        try secondRefused(trial, running)
        try killed(trial, running)
        try killedWhileBusy(trial, running)
    }

    private func fresh(_ trial: ClusterTrial, _ cluster: PrivateCluster) throws {
        let connection = cluster.connectionString
        #expect(trial.query(connection, "select current_user, current_database()") == "neuroviews|neuroviews")
        #expect(
            trial.query(
                connection,
                "select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user"
            ) == "f|f|f"
        )
        let expected = [
            "listen_addresses": "", "data_checksums": "on", "server_encoding": "UTF8", "lc_collate": "C.UTF-8",
            "synchronous_commit": "on", "fsync": "on", "full_page_writes": "on", "TimeZone": "UTC",
            "wal_level": "replica",
            "max_connections": "100", "password_encryption": "scram-sha-256",
        ]
        for (name, value) in expected { #expect(trial.query(connection, "show \(name)") == value, "\(name)") }
        #expect(trial.query(cluster.administratorConnectionString, "select current_user") == "postgres")
        #expect(trial.query(connection, "create table kept as select 1 as x") != nil)
        var status = stat()
        #expect(stat(trial.data + "/postgres", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    private func stopped(_ trial: ClusterTrial, _ cluster: PrivateCluster) throws {
        let process = try #require(cluster.process)
        cluster.stop()
        #expect(PostmasterFile.hasEnded(process))
        #expect(access(trial.data + "/postgres/postmaster.pid", F_OK) != 0)
        #expect(trial.query(cluster.connectionString, "select 1") == nil)
    }

    private func adopted(_ trial: ClusterTrial, _ cluster: inout PrivateCluster?) throws {
        let process = try #require(cluster?.process)
        try makeOld(trial, try #require(cluster))
        cluster = nil
        #expect(!PostmasterFile.hasEnded(process))
        cluster = try trial.start()
        #expect(cluster?.process == process)
        try apart(trial, try #require(cluster))
        #expect(trial.events.last == .adopted(process: process))
    }

    /// Restores the state of a server with one login for everything.
    private func makeOld(_ trial: ClusterTrial, _ cluster: PrivateCluster) throws {
        let accounts = "neuroviews root neuroviews\nneuroviews root postgres\n"
        try Data(accounts.utf8).write(to: URL(fileURLWithPath: trial.data + "/postgres/pg_ident.conf"))
        let statements = """
            ALTER ROLE neuroviews CREATEROLE; ALTER ROLE neuroviews_app NOLOGIN; ALTER ROLE neuroviews_background NOLOGIN;
            GRANT EXECUTE ON FUNCTION set_config TO PUBLIC; GRANT UPDATE ON pg_settings TO PUBLIC; SELECT pg_reload_conf()
            """
        #expect(trial.query(cluster.administratorConnectionString, statements)?.hasSuffix("t") == true)
        #expect(trial.until(seconds: 10) { trial.query(cluster.logins.application, "select 1") == nil } != nil)
    }

    /// Checks that each login has its role, and no access to another role.
    private func apart(_ trial: ClusterTrial, _ cluster: PrivateCluster) throws {
        for (login, role) in [
            (cluster.logins.application, "neuroviews_app"), (cluster.logins.background, "neuroviews_background"),
        ] {
            #expect(trial.query(login, "select current_user") == role)
            let others = "select count(*) from pg_roles where rolname <> current_user and pg_has_role(oid, 'member')"
            #expect(trial.query(login, others) == "0")
            for statement in [
                "select set_config('role', 'postgres', false)", "set role neuroviews", "set role postgres",
            ] {
                #expect(trial.query(login, statement) == nil, "\(role): \(statement)")
            }
        }
        let owner = "select rolcreaterole or rolsuper from pg_roles where rolname = current_user"
        #expect(trial.query(try #require(cluster.logins.owner), owner) == "f")
    }

    private func secondRefused(_ trial: ClusterTrial, _ cluster: PrivateCluster) throws {
        let problem = PrivateClusterProblem.lock(.inUse(folder: trial.data, process: getpid()))
        #expect(throws: problem) { try trial.start() }
        #expect(try PrivateCluster.joinRunning(dataDirectory: trial.data) == cluster.logins)
    }

    private func killed(_ trial: ClusterTrial, _ cluster: PrivateCluster) throws {
        let process = try #require(cluster.process)
        kill(process, SIGKILL)
        let seconds = trial.until(seconds: 10) {
            trial.query(cluster.connectionString, "select x from kept") == "1" && cluster.process != process
        }
        #expect(seconds != nil)
        #expect(trial.events.contains(.ended(process: process)))
    }

    /// A busy session does not notice the end of its server, and PostgreSQL can't start before the session ends.
    private func killedWhileBusy(_ trial: ClusterTrial, _ cluster: PrivateCluster) throws {
        let statement = "select count(*) from generate_series(1, 1e8) a where a * a < 0"
        let busy = try ChildProcess(
            ["/usr/bin/psql", cluster.connectionString, "-X", "-c", statement],
            log: trial.folder.path + "/busy.log"
        )
        defer { kill(busy.number, SIGKILL) }
        let isBusy =
            "select count(*) from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1e8)%' and pid <> pg_backend_pid()"
        #expect(trial.until(seconds: 10) { trial.query(cluster.connectionString, isBusy) == "1" } != nil)
        let process = try #require(cluster.process)
        kill(process, SIGKILL)
        let seconds = trial.until(seconds: 10) {
            trial.query(cluster.connectionString, "select x from kept") == "1" && cluster.process != process
        }
        #expect(seconds != nil)
    }

    @Test("The PostgreSQL of a cluster behind a symbolic link is adopted, supervised and stopped")
    func linked() throws {
        let trial = try ClusterTrial()
        try trial.start().stop()
        let (path, moved) = (trial.data + "/postgres", trial.folder.path + "/moved")
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: moved)
        var first: PrivateCluster? = try trial.start()
        let process = try #require(first?.process)
        first = nil
        let adopted = try trial.start()
        #expect(trial.events.last == .adopted(process: process))
        try adopted.running.withLock { (running) throws(PrivateClusterProblem) in
            try adopted.startAgainIfEnded(&running)
        }
        #expect(trial.events.last == .adopted(process: process))
        #expect(PostmasterFile.isServer(process, of: path + "/none") == nil, "a look that fails is no answer")
        adopted.stop()
        #expect(PostmasterFile.hasEnded(process))
    }

    @Test("A private cluster starts in a path with odd characters that is too long for sockets")
    func longPath() throws {
        let trial = try ClusterTrial("/it's a \"long\" path \(String(repeating: "x", count: 100))/data")
        let left = trial.data + "/postgres.new-x/base"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let cluster = try trial.start()
        #expect(cluster.location.socketFolder.hasPrefix("/tmp/neuroviews-"))
        #expect(!cluster.location.isRelocated)
        #expect(trial.query(cluster.connectionString, "select 1") == "1")
        #expect(access(trial.data + "/postgres.new-x", F_OK) != 0)
        cluster.stop()
        #expect(access(cluster.location.socketFolder, F_OK) != 0)
    }

    @Test(
        "A private cluster is placed elsewhere and found again if PostgreSQL can't enter the data folder",
        .enabled(if: geteuid() == 0)
    )
    func closedFolder() throws {
        let trial = try ClusterTrial("/closed/data")
        try FileManager.default.createDirectory(
            atPath: trial.folder.path + "/closed",
            withIntermediateDirectories: false
        )
        chmod(trial.folder.path + "/closed", 0o700)
        var running: PrivateCluster? = try trial.start()
        let home = try #require(running).location.home
        #expect(home.hasPrefix(trial.folder.path + "/clusters/"))
        #expect(try String(contentsOfFile: trial.data + "/postgres.location", encoding: .utf8).contains(home))
        #expect(try String(contentsOfFile: home + "/belongs-to", encoding: .utf8) == trial.data + "\n")
        #expect(trial.query(running?.connectionString ?? "", "create table kept()") != nil)
        // A copy of the data folder names the same cluster.
        let copy = trial.folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: trial.data + "/postgres.location",
            toPath: copy + "/postgres.location"
        )
        #expect(throws: PrivateClusterProblem.lock(.inUse(folder: home, process: getpid()))) {
            try PrivateCluster.start(dataDirectory: copy)
        }
        running?.stop()
        running = nil
        let again = try trial.start()
        #expect(again.location.home == home)
        #expect(trial.query(again.connectionString, "select count(*) from kept") == "0")
        again.stop()
        var status = stat()
        #expect(stat(trial.folder.path + "/closed", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
}
