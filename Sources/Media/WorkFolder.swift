import FoundationEssentials
import Glibc
import Net

/// A folder for the temporary files of one job. The kernel's lock on it distinguishes a folder in use from one that a
/// killed process has left.
package struct WorkFolder: Sendable {
    /// The path of the folder, until `remove`.
    package let path: String
    private let lock: FolderLock
    private static let prefix = "neuroviews-media-"

    /// Makes a new one in the folder for temporary files, for this account only.
    package init() throws(SystemError) {
        let name = Self.prefix + UUID().uuidString
        let place = FileManager.default.temporaryDirectory.path
        path = "\(place)/\(name)"
        // The folder is locked before it gets the name that `removeLeftovers` looks for.
        let unnamed = "\(place)/.\(name)"
        guard mkdir(unnamed, 0o700) == 0 else { throw SystemError(call: "mkdir", code: errno) }
        guard let lock = FolderLock.take(unnamed) else { throw SystemError(call: "flock", code: errno) }
        self.lock = lock
        guard rename(unnamed, path) == 0 else { throw SystemError(call: "rename", code: errno) }
    }

    /// Deletes the folder with its files.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Deletes the folders of killed processes. To be called when a program starts. Blocks.
    package static func removeLeftovers() {
        let (manager, place) = (FileManager.default, FileManager.default.temporaryDirectory.path)
        for name in (try? manager.contentsOfDirectory(atPath: place)) ?? [] where name.hasPrefix(prefix) {
            guard let lock = FolderLock.take("\(place)/\(name)") else { continue }
            withExtendedLifetime(lock) { try? manager.removeItem(atPath: "\(place)/\(name)") }
        }
    }
}

/// A folder with an exclusive lock (flock(2)), held until this value is released.
private final class FolderLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Nil if another process holds the lock, or if the folder belongs to another user.
    static func take(_ path: String) -> FolderLock? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let lock = FolderLock(descriptor)
        var status = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_uid == geteuid()
        else { return nil }
        return lock
    }

    deinit { close(descriptor) }
}
