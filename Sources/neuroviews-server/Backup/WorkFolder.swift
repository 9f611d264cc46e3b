import FoundationEssentials
import Glibc

/// A folder in which a backup or a restore prepares what then gets its name at once. The kernel's lock on it tells one at
/// work from one that was killed; what the latter left is removed.
final class WorkFolder {
    private(set) var path: String
    private(set) var isRenamed = false
    private let lock: Int32

    /// Makes the folder, readable by its owner alone. Throws when another process works in it.
    init(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure("\(FileError("create", path)).", status: .cannotCreate)
        }
        guard let lock = try Self.lock(path) else {
            throw CommandFailure("Another backup or restore is at work in \(path): wait for its end.", status: .busy)
        }
        self.path = path
        self.lock = lock
        // Where others may write too, one of them could have made it, to read what comes.
        var status = stat()
        guard fstat(lock, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw CommandFailure("The folder \(path) belongs to somebody else: remove it.", status: .cannotCreate)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    /// Takes over a folder that an interrupted restore has left, with its content; nil: there is none. Throws for a folder in use, or of another owner than
    /// the folder around it.
    init?(existing path: String) throws {
        var (status, outer) = (stat(), stat())
        guard lstat(path, &status) == 0 else { return nil }
        guard stat(FilePath.folder(of: path), &outer) == 0, [outer.st_uid, geteuid()].contains(status.st_uid) else {
            throw CommandFailure("The folder \(path) belongs to somebody else: remove it.", status: .cannotCreate)
        }
        guard let lock = try Self.lock(path) else {
            throw CommandFailure("A restore is at work in \(path): wait for its end.", status: .busy)
        }
        self.path = path
        self.lock = lock
    }

    deinit { close(lock) }

    /// Renames the folder, without letting go of it.
    func rename(to newPath: String) throws(FileError) {
        guard Glibc.rename(path, newPath) == 0 else { throw FileError("create", newPath) }
        path = newPath
        isRenamed = true
        try FileDescriptor.synchronize(folder: URL(fileURLWithPath: newPath).deletingLastPathComponent().path)
    }

    /// Makes a folder in it that is closed to others. Returns the path.
    func makeFolder(_ name: String) throws -> String {
        let inner = "\(path)/\(name)"
        guard mkdir(inner, 0o700) == 0 else {
            throw CommandFailure("\(FileError("create", inner)).", status: .cannotCreate)
        }
        return inner
    }

    /// Everything in it goes.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Returns once everything on the folder's file system is on the disk.
    func synchronize() throws {
        let result = try ChildProcess.run(["/bin/sync", "--file-system", path], log: nil, seconds: 3600)
        guard result.status == 0 else {
            throw CommandFailure("\(path) can't be written: \(result.output)", status: .cannotCreate)
        }
    }

    /// nil: somebody else holds it.
    private static func lock(_ path: String) throws -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure("\(FileError("open", path)).", status: .cannotCreate)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return descriptor }
        close(descriptor)
        return nil
    }
}
