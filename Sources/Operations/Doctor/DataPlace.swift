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
    /// The addresses of that server, as it noted them; nil without a note.
    let served: ServedAddresses?

    init(_ settings: Settings) {
        folder = settings.dataFolder
        cluster = settings.databaseURL == nil ? try? ClusterLocation.knownCluster(data: folder) : nil
        server = Self.holder(of: DataDirectoryLock.path(folder))
        served = server == nil ? nil : ServedAddresses(folder: folder)
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

extension Settings {
    /// These settings with the addresses of the server that uses the place: its flags may have named others.
    func served(at place: DataPlace) -> Settings {
        guard let served = place.served else { return self }
        var settings = self
        (settings.listen, settings.adminListen) = (served.main, served.admin)
        return settings
    }
}
