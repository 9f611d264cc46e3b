import CLinux
import Glibc

/// Lets root work in another account's data folder with that account's rights, so that no link there can lead root to
/// other files. Other processes, and folders of root itself, need no change.
package struct FolderRights {
    private let owner: (user: uid_t, group: gid_t)?

    /// The rights of the folder's owner. A missing folder causes no change.
    package init(of folder: String) {
        owner = Self.foreignOwner(of: folder).map { status in
            (user: status.st_uid, group: SystemAccount(status.st_uid)?.group ?? status.st_gid)
        }
    }

    /// True if this process is root and another account owns the folder.
    package static func isForeign(_ folder: String) -> Bool { foreignOwner(of: folder) != nil }

    private static func foreignOwner(of folder: String) -> stat? {
        var status = stat()
        return geteuid() == 0 && stat(folder, &status) == 0 && status.st_uid != 0 ? status : nil
    }

    /// The rights of an account; nil causes no change.
    package init(_ owner: (user: uid_t, group: gid_t)?) { self.owner = owner }

    /// The command that runs with these rights from its first step. Unlike `use`, it gives the account no power over this
    /// process.
    package func command(_ command: [String]) -> [String] {
        guard let owner else { return command }
        let rights = ["--reuid=\(owner.user)", "--regid=\(owner.group)", "--clear-groups"]
        return ["/usr/bin/setpriv"] + rights + ["--"] + command
    }

    /// All threads have the rights until `body` ends. Programs that it starts keep them.
    package func use<R: ~Copyable>(_ body: () throws -> R) throws -> R {
        guard let owner, geteuid() == 0 else { return try body() }
        guard nv_act_as(owner.user, owner.group) == 0 else {
            throw CommandFailure("\(FileError("use", "the rights of the data folder's owner")).")
        }
        defer { precondition(nv_act_as(0, 0) == 0, "root's rights did not come back") }
        return try body()
    }

    /// Only this thread has the rights, for files, until `body` ends. `body` must start no program. For a process that
    /// serves meanwhile.
    package func useForFiles(_ body: () throws(FileError) -> Void) throws(FileError) {
        guard let owner else { return try body() }
        guard nv_use_files_as(owner.user, owner.group) == 0 else {
            throw FileError("use", "the rights of the data folder's owner")
        }
        defer { precondition(nv_use_files_as(geteuid(), getegid()) == 0, "the rights for files did not come back") }
        try body()
    }

    /// Lets the folder's owner read a file that root made, but not change it.
    package func show(_ path: String, _ mode: mode_t) throws(FileError) {
        guard let owner else { return }
        guard lchown(path, 0, owner.group) == 0, chmod(path, mode) == 0 else { throw FileError("show", path) }
    }
}
