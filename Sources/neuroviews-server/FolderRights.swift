import CLinux
import Glibc

/// Root in the data folder of another account: with that account's rights, so that nothing which it puts there leads root to files elsewhere.
/// Other processes, and folders of root's, need no change.
struct FolderRights {
    private let owner: (user: uid_t, group: gid_t)?

    /// Those of the folder's owner. A folder that is not there has none.
    init(of folder: String) {
        var status = stat()
        let isOther = geteuid() == 0 && stat(folder, &status) == 0 && status.st_uid != 0
        let group = isOther ? getpwuid(status.st_uid)?.pointee.pw_gid ?? status.st_gid : 0
        owner = isOther ? (status.st_uid, group) : nil
    }

    /// Those of an account that is not this process's.
    init(of account: ClusterAccount) { owner = account.isOther ? (account.user, account.group) : nil }

    /// The command that does the same with these rights from its first step, which gives that account no hold on this process.
    func command(_ command: [String]) -> [String] {
        guard let owner else { return command }
        let rights = ["--reuid=\(owner.user)", "--regid=\(owner.group)", "--clear-groups"]
        return ["/usr/bin/setpriv"] + rights + ["--"] + command
    }

    /// All threads have them until the end of `body`, and programs that it starts for good.
    func use<R: ~Copyable>(_ body: () throws -> R) throws -> R {
        guard let owner, geteuid() == 0 else { return try body() }
        guard nv_act_as(owner.user, owner.group) == 0 else {
            throw CommandFailure("\(FileError("use", "the rights of the data folder's owner")).")
        }
        defer { precondition(nv_act_as(0, 0) == 0, "root's rights did not come back") }
        return try body()
    }

    /// This thread has them for files until the end of `body`; it starts no program there. For a process that serves meanwhile.
    func useForFiles(_ body: () throws(FileError) -> Void) throws(FileError) {
        guard let owner else { return try body() }
        guard nv_use_files_as(owner.user, owner.group) == 0 else {
            throw FileError("use", "the rights of the data folder's owner")
        }
        defer { precondition(nv_use_files_as(geteuid(), getegid()) == 0, "the rights for files did not come back") }
        try body()
    }

    /// Lets the folder's owner read what root has made, and not change it.
    func show(_ path: String, _ mode: mode_t) throws(FileError) {
        guard let owner else { return }
        guard lchown(path, 0, owner.group) == 0, chmod(path, mode) == 0 else { throw FileError("show", path) }
    }
}
