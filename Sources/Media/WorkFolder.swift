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
    package init() throws(WorkFolderError) {
        let name = Self.prefix + UUID().uuidString
        let place = FileManager.default.temporaryDirectory.path
        path = "\(place)/\(name)"
        // The folder is locked before it gets the name that `removeLeftovers` looks for.
        let unnamed = "\(place)/.\(name)"
        guard mkdir(unnamed, 0o700) == 0 else { throw .lastFailure("mkdir", in: place) }
        guard let lock = FolderLock.take(unnamed) else { throw .lastFailure("flock", in: place) }
        self.lock = lock
        guard rename(unnamed, path) == 0 else { throw .lastFailure("rename", in: place) }
    }

    /// Makes an empty file, and returns its open descriptor for writing.
    package func makeFile(_ name: String) throws(WorkFolderError) -> Int32 {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .lastFailure("open", in: path) }
        return descriptor
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

/// A temporary file can't be made or written: usually, the disk is full. This machine is at fault, not the file or the
/// store.
package struct WorkFolderError: Error, Equatable, CustomStringConvertible {
    private let folder: String
    private let cause: SystemError

    /// Names the folder and the failed call.
    package init(_ cause: SystemError, in folder: String) { (self.cause, self.folder) = (cause, folder) }

    /// Makes an error from errno after a failed call.
    package static func lastFailure(_ call: String, in folder: String) -> WorkFolderError {
        WorkFolderError(SystemError(call: call, code: errno), in: folder)
    }

    /// A text for the log.
    package var description: String { "temporary files in \(folder): \(cause)" }
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
