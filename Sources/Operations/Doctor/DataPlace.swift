import Glibc
import Machine
import PrivateCluster
import Settings

/// The place of the data and the process that uses it. Finding them changes nothing.
struct DataPlace {
    /// The data folder, absolute.
    let folder: String
    /// The folder of the private cluster; nil if there is none, or if its place can't be read.
    let cluster: String?
    /// The server process that uses the data folder.
    let server: Int32?

    init(_ settings: Settings) {
        folder = settings.dataFolder
        cluster = settings.databaseURL == nil ? try? ClusterLocation.knownCluster(data: folder) : nil
        server = Self.holder(of: folder + "/lock")
    }

    /// The process that has the lock, from the kernel's list. Trying the lock could stop a server that is just
    /// starting.
    private static func holder(of path: String) -> Int32? {
        var status = stat()
        guard stat(path, &status) == 0, let locks = try? FileDescriptor.readText("/proc/locks") else { return nil }
        // "1: FLOCK  ADVISORY  WRITE 4711 08:01:393217 0 EOF"
        for line in locks.split(separator: "\n") where line.contains(" FLOCK ") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[5].split(separator: ":").last == "\(status.st_ino)" else { continue }
            return Int32(words[4])
        }
        return nil
    }
}
