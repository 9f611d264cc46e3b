import Machine
import Settings

/// The reasons for which the private PostgreSQL does not run. Each message is one sentence with the remedy.
package enum PrivateClusterProblem: Error, Equatable, CustomStringConvertible {
    case noPrograms
    case noPostgresAccount
    /// The cluster has another major version than the installed programs.
    case otherVersion(cluster: Int, installed: [Int], folder: String)
    case foreignOwner(folder: String, user: UInt32)
    /// The cluster's owner is not the owner of the data folder.
    case foreignCluster(folder: String, owner: String)
    case notACluster(folder: String)
    case system(FileError)
    case lock(DataDirectoryLock.Problem)
    case data(DataDirectory.Problem)
    /// A program of PostgreSQL failed. `reason` is its first useful line.
    case program(name: String, reason: String)
    case timeout(what: String, seconds: Int, log: String)
    case unsafeSocketFolder(String)
    case noSocketFolder(String)
    /// Giving the roles their logins and limits failed.
    case roles(String, log: String)
    case stopped

    package var description: String {
        switch self {
        case .noPrograms:
            "PostgreSQL 15 or later is missing: run apt-get install postgresql (Debian starts a cluster of its own with "
                + "it unless /etc/postgresql-common/createcluster.conf says create_main_cluster = false), or set "
                + "NEUROVIEWS_DATABASE_URL."
        case .noPostgresAccount:
            "There is no account \"postgres\", and PostgreSQL doesn't run as root: run apt-get install postgresql, or "
                + "start the server under another account."
        case .otherVersion(let cluster, _, let folder) where cluster < PostgresPrograms.oldestMajor:
            "The cluster in \(folder) was made by PostgreSQL \(cluster), which is too old: move it to version "
                + "\(PostgresPrograms.oldestMajor) or later with pg_upgrade."
        case .otherVersion(let cluster, let installed, let folder):
            "The cluster in \(folder) was made by PostgreSQL \(cluster), and this machine has "
                + "\(installed.map(String.init).joined(separator: ", ")): \(PostgresPrograms.installing("postgresql-\(cluster)")), or "
                + "move the cluster with pg_upgrade."
        case .foreignOwner(let folder, let user):
            "The cluster in \(folder) belongs to the account with number \(user): start the server under that account, "
                + "or choose another data folder with NEUROVIEWS_DATA."
        case .foreignCluster(let folder, let owner):
            "The data folder belongs to \(owner), and the cluster \(folder) does not: stop PostgreSQL there, and run chown -R "
                + "\(owner) \(folder)."
        case .notACluster(let folder):
            "The folder \(folder) holds no PostgreSQL cluster: move it away, or put the cluster back from a backup."
        case .system(let error):
            "The private PostgreSQL can't be used: \(error)."
        case .lock(let problem):
            problem.description
        case .data(let problem):
            problem.description
        case .program(let name, let reason):
            "PostgreSQL's \(name) failed: \(reason)"
        case .timeout(let what, let seconds, let log):
            "PostgreSQL didn't \(what) in \(seconds) s: see \(log)."
        case .unsafeSocketFolder(let path):
            "The folder \(path) belongs to somebody else, so PostgreSQL's socket can't be put there: remove it, or choose "
                + "a data folder with a shorter path with NEUROVIEWS_DATA."
        case .noSocketFolder(let path):
            "PostgreSQL's socket has no place: the path \(path) is longer than sockets may have; choose a shorter data "
                + "folder with NEUROVIEWS_DATA."
        case .roles(let reason, let log):
            "The roles of the private PostgreSQL can't be prepared (\(reason)): see \(log)."
        case .stopped:
            "The private PostgreSQL was stopped."
        }
    }
}
