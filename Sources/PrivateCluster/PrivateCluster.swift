import Dispatch
import Glibc
import Machine
import Net
import Postgres
import Settings
import Synchronization

/// The server's own PostgreSQL: a cluster under the data folder, reached only through a Unix socket.
///
/// `stop()` ends it. After a SIGKILL of this process PostgreSQL continues, and the next start adopts it. After a
/// SIGKILL of PostgreSQL the supervisor starts it again. All methods block: call them from threads, not from loops.
package final class PrivateCluster: Sendable {
    /// An event for the log.
    package enum Event: Equatable, Sendable {
        case initialised(folder: String, milliseconds: Int)
        case started(process: Int32, milliseconds: Int)
        case adopted(process: Int32)
        case ended(process: Int32)
        case failed(PrivateClusterProblem)
    }

    struct Running {
        var process: Int32?
        var child: ChildProcess?
    }

    let location: ClusterLocation
    let programs: PostgresPrograms
    let account: ClusterAccount
    let configuration: ClusterConfiguration
    let onEvent: @Sendable (Event) -> Void
    /// Locked while PostgreSQL is started or stopped.
    let running = Locked(Running())
    let isStopping = Atomic(false)
    /// Signalled when the child ends and by `stop`.
    let wake = DispatchSemaphore(value: 0)
    private let locks: [DataDirectoryLock]

    /// The logins for libpq.
    package var logins: DatabaseLogins { DatabaseLogins(socketFolder: location.socketFolder) }
    /// The owner's connection string.
    var connectionString: String { connectionString(user: ClusterConfiguration.owner) }
    /// The superuser's connection string, for an operator with psql and for `prepareRoles`.
    var administratorConnectionString: String { connectionString(user: ClusterConfiguration.administrator) }
    /// PostgreSQL's process number; nil if it does not run.
    var process: Int32? { running.withLock { $0.process } }

    /// Starts PostgreSQL and returns when it accepts connections. Makes the data folder and the cluster if they are
    /// missing.
    ///
    /// `maxConnections`: the connections that the server may open, plus some for an operator.
    package static func start(
        dataDirectory: String,
        maxConnections: Int = 100,
        search: PostgresPrograms.Search = PostgresPrograms.Search(),
        roots: ClusterLocation.Roots = ClusterLocation.Roots(),
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) throws(PrivateClusterProblem) -> PrivateCluster {
        LibpqEnvironment.forget()
        let (data, lock) = try lock(dataDirectory)
        let account = try account(data)
        let location = try ClusterLocation.find(data: data, account: account, roots: roots)
        // A copied data folder has its own lock but names the same cluster, so the cluster is locked too.
        let locks = location.isRelocated ? [lock, try self.lock(location.home).1] : [lock]
        let cluster = PrivateCluster(
            location: location,
            programs: try programs(for: location, search),
            account: account,
            configuration: ClusterConfiguration(
                socketFolder: location.socketFolder,
                maxConnections: maxConnections,
                account: account
            ),
            locks: locks,
            onEvent: onEvent
        )
        try cluster.bringUp()
        return cluster
    }

    private init(
        location: ClusterLocation,
        programs: PostgresPrograms,
        account: ClusterAccount,
        configuration: ClusterConfiguration,
        locks: [DataDirectoryLock],
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.location = location
        self.programs = programs
        self.account = account
        self.configuration = configuration
        self.locks = locks
        self.onEvent = onEvent
    }

    /// Notes where this server listens, for commands on the same data folder. A failure is an event.
    package func note(_ addresses: ServedAddresses) {
        do throws(FileError) {
            try locks.first?.note(addresses)
        } catch {
            onEvent(.failed(.system(error)))
        }
    }

    private func bringUp() throws(PrivateClusterProblem) {
        if !location.isInitialised { try initialise() }
        try prepareSocketFolder()
        try inCluster { () throws(FileError) in try configuration.write(to: location.cluster) }
        try running.withLock { (running) throws(PrivateClusterProblem) in try startOrAdopt(&running) }
        do throws(PrivateClusterProblem) {
            try prepareRoles()
        } catch {
            // The caller gets no cluster that it could stop.
            stop()
            throw error
        }
    }

    /// Writes into the cluster's folder with its account's rights, because that account could have put links there.
    func inCluster(_ body: () throws(FileError) -> Void) throws(PrivateClusterProblem) {
        do throws(FileError) {
            try FolderRights(of: account).useForFiles(body)
        } catch {
            throw .system(error)
        }
    }

    private func connectionString(user: String) -> String {
        ClusterConfiguration.connectionString(socketFolder: location.socketFolder, user: user)
    }
}

extension PrivateCluster {
    private static func lock(_ folder: String) throws(PrivateClusterProblem) -> (String, DataDirectoryLock) {
        let path: String
        do throws(DataDirectory.Problem) {
            path = try DataDirectory.prepare(folder)
        } catch {
            throw .data(error)
        }
        do throws(DataDirectoryLock.Problem) {
            return (path, try DataDirectoryLock(folder: path))
        } catch {
            throw .lock(error)
        }
    }

    private static func account(_ data: String) throws(PrivateClusterProblem) -> ClusterAccount {
        guard let cluster = try ClusterLocation.knownCluster(data: data), access(cluster, F_OK) == 0 else {
            return try .ofNewCluster(data: data)
        }
        return try .owner(of: cluster, data: data)
    }

    private static func programs(
        for location: ClusterLocation,
        _ search: PostgresPrograms.Search
    ) throws(PrivateClusterProblem) -> PostgresPrograms {
        guard access(location.cluster, F_OK) == 0 else { return try .find(in: search) }
        guard let major = ClusterLocation.major(of: location.cluster) else {
            throw .notACluster(folder: location.cluster)
        }
        return try .find(major: major, cluster: location.cluster, in: search)
    }
}
