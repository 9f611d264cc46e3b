import Glibc
import Postgres
import Settings

extension PrivateCluster {
    /// Longer than a query needs, because a server may be making its cluster.
    private static let joinMaxSeconds = 30

    /// Returns the logins of the cluster that another process runs on this data folder. For a command beside a server,
    /// such as `user add`, after `start` threw that the folder is in use. Waits for it for `seconds`, 30 unless told. Throws
    /// `.stopped` once `isStopped` is true.
    package static func joinRunning(
        dataDirectory: String,
        waiting seconds: Int? = nil,
        isStopped: () -> Bool = { false }
    ) throws(PrivateClusterProblem) -> DatabaseLogins {
        let seconds = seconds ?? joinMaxSeconds
        LibpqEnvironment.forget()
        let data: String
        do throws(DataDirectory.Problem) {
            data = try DataDirectory.prepare(dataDirectory)
        } catch {
            throw .data(error)
        }
        let begin = ContinuousClock.now
        while begin.elapsedMs < seconds * 1000 {
            if let cluster = try ClusterLocation.knownCluster(data: data),
                let file = PostmasterFile.read(cluster), file.isReady
            {
                return DatabaseLogins(socketFolder: file.socketFolder)
            }
            if isStopped() { throw .stopped }
            usleep(10_000)
        }
        throw .timeout(what: "answer", seconds: seconds, log: data + "/postgres.log")
    }
}
