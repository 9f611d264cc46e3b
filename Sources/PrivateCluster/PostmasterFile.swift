import FoundationEssentials
import Glibc
import Machine

/// `postmaster.pid`, the file that a running PostgreSQL keeps in its data folder.
package struct PostmasterFile: Equatable {
    package let process: Int32
    /// "starting", "ready", "stopping"; empty while the file is still being written.
    let status: String
    /// The folder of the Unix socket.
    package let socketFolder: String

    package var isReady: Bool { status == "ready" || status == "standby" }

    static func path(_ cluster: String) -> String { cluster + "/postmaster.pid" }

    /// Returns nil if PostgreSQL does not run or has not written its number yet.
    package static func read(_ cluster: String) -> PostmasterFile? { read(file: path(cluster)) }

    /// The lock file of the socket begins with the same lines.
    static func read(file: String) -> PostmasterFile? {
        guard let text = try? FileDescriptor.readOwnText(file, maxBytes: 4096) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let process = Int32(lines[0]), process > 0 else { return nil }
        func line(_ index: Int) -> String {
            index < lines.count ? lines[index].trimmed : ""
        }
        return PostmasterFile(process: process, status: line(7), socketFolder: line(4))
    }

    /// Returns true if the process is PostgreSQL and works in `cluster`. It is false for a reused number and for a
    /// zombie, and nil if the look failed. Folders are compared by their inodes, because links lead to clusters.
    static func isServer(_ process: Int32, of cluster: String) -> Bool? {
        let path = "/proc/\(process)"
        var (folder, owner, place) = (stat(), stat(), stat())
        guard stat(path, &owner) == 0 else { return false }
        // Everybody may read the name, so it also judges processes that hide the rest.
        guard let name = try? FileDescriptor.readText(path + "/comm", maxBytes: 64) else { return nil }
        guard name.hasPrefix("postgres") else { return false }
        guard stat(cluster, &folder) == 0 else { return nil }
        guard owner.st_uid == folder.st_uid else { return false }
        // A zombie has no folder.
        guard stat(path + "/cwd", &place) == 0 else { return errno == ENOENT ? false : nil }
        return place.st_dev == folder.st_dev && place.st_ino == folder.st_ino
    }

    /// Returns true if the process does not exist or is a zombie.
    package static func hasEnded(_ process: Int32) -> Bool {
        guard let text = try? FileDescriptor.readText("/proc/\(process)/stat", maxBytes: 4096) else { return true }
        // "4711 (postgres) S 1 …". The name may contain parentheses, so the last one counts.
        guard let end = text.lastIndex(of: ")") else { return true }
        return text[end...].hasPrefix(") Z") || text[end...].hasPrefix(") X")
    }

    /// All processes that are known to be PostgreSQL in `cluster`.
    static func servers(of cluster: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { isServer($0, of: cluster) == true }
    }
}
