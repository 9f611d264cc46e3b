import Glibc
import Machine

/// The account of PostgreSQL's programs. They reject root, so root runs them under another account.
package struct ClusterAccount: Equatable, Sendable {
    let name: String
    let user: uid_t
    let group: gid_t
    /// True if the process must change to this account first.
    let isOther: Bool

    /// The account of a new cluster. In root's own folder it is `postgres`. In a folder of another account it is that
    /// account: the folder's owner could replace the cluster anyway.
    static func ofNewCluster(data: String) throws(PrivateClusterProblem) -> ClusterAccount {
        if let owner = try ownerOfForeign(data) { return owner }
        return try ofThisProcess()
    }

    /// The folder's owner if this process is root and the owner is not; otherwise nil.
    private static func ownerOfForeign(_ folder: String) throws(PrivateClusterProblem) -> ClusterAccount? {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .system(FileError("look at", folder)) }
        guard geteuid() == 0, status.st_uid != 0 else { return nil }
        guard let owner = lookUp(user: status.st_uid) else {
            throw .foreignOwner(folder: folder, user: status.st_uid)
        }
        return owner
    }

    /// `postgres` for root; otherwise the account of this process.
    private static func ofThisProcess() throws(PrivateClusterProblem) -> ClusterAccount {
        guard geteuid() == 0 else {
            let name = lookUp(user: geteuid())?.name ?? ""
            return ClusterAccount(name: name, user: geteuid(), group: getegid(), isOther: false)
        }
        guard let found = lookUp(name: "postgres") else { throw .noPostgresAccount }
        return found
    }

    /// The owner of an existing cluster. PostgreSQL starts under no other account. If another account owns the data
    /// folder, it must own the cluster too.
    package static func owner(of folder: String, data: String) throws(PrivateClusterProblem) -> ClusterAccount {
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .system(FileError("look at", folder)) }
        if let owner = try ownerOfForeign(data) {
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            guard isDirectory, owner.user == status.st_uid else {
                throw .foreignCluster(folder: folder, owner: owner.name)
            }
            return owner
        }
        guard stat(folder, &status) == 0 else { throw .system(FileError("look at", folder)) }
        if status.st_uid == geteuid() && geteuid() != 0 { return try ofThisProcess() }
        guard geteuid() == 0, status.st_uid != 0, let owner = lookUp(user: status.st_uid) else {
            throw .foreignOwner(folder: folder, user: status.st_uid)
        }
        return owner
    }

    /// The command that runs `program` under this account with the same process number.
    func command(_ program: String, _ arguments: [String]) -> [String] {
        guard isOther else { return [program] + arguments }
        return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--init-groups", "--", program] + arguments
    }

    /// True if the account may enter each folder above `path`. Access lists are ignored: at worst the cluster is moved
    /// without need.
    func reaches(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return (0...parts.count).allSatisfy { count in
            var status = stat()
            guard stat("/" + parts[..<count].joined(separator: "/"), &status) == 0 else { return false }
            if status.st_uid == user { return status.st_mode & S_IXUSR != 0 }
            if status.st_gid == group { return status.st_mode & S_IXGRP != 0 }
            return status.st_mode & S_IXOTH != 0
        }
    }

    private static func lookUp(name: String) -> ClusterAccount? {
        SystemAccount(named: name).map(account)
    }

    private static func lookUp(user: uid_t) -> ClusterAccount? {
        SystemAccount(user).map(account)
    }

    private static func account(_ entry: SystemAccount) -> ClusterAccount {
        ClusterAccount(
            name: entry.name,
            user: entry.user,
            group: entry.group,
            isOther: geteuid() == 0 && entry.user != 0
        )
    }
}

extension FolderRights {
    /// The rights of an account; no change if it is this process's own.
    init(of account: ClusterAccount) { self.init(account.isOther ? (account.user, account.group) : nil) }
}
