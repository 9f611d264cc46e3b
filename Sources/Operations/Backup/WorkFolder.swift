import FoundationEssentials
import Glibc
import Machine

/// A folder for a backup or a restore in preparation; its result is renamed to its place at once. A kernel lock marks a
/// folder in use. The content of a killed process is removed.
final class WorkFolder {
    /// The end of the name of a backup's folder.
    static let backupSuffix = ".partial"

    private(set) var path: String
    private(set) var isRenamed = false
    private let lock: Int32

    /// Makes the folder, readable by its owner alone. Throws if another process works in it.
    init(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure("\(FileError("create", path)).", status: .cannotCreate)
        }
        guard let lock = try Self.lock(path) else {
            throw CommandFailure("Another backup or restore is at work in \(path): wait for its end.", status: .busy)
        }
        self.path = path
        self.lock = lock
        // In a folder that others may write, another user could have made it to read its content.
        var status = stat()
        guard fstat(lock, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw CommandFailure("The folder \(path) belongs to somebody else: remove it.", status: .cannotCreate)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    /// Opens the folder of an interrupted restore with its content; nil if there is none. Throws for a folder in use.
    /// Also throws if its owner is neither this process's user nor the owner of the parent folder.
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

    /// Removes the work folders that killed backups of this account left in `folder`: they hold the dump and perhaps the
    /// secret. Returns their paths.
    static func removeLeft(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(backupSuffix) }.map { "\(folder)/\($0)" }.filter(removeIfLeft)
    }

    /// Returns false if the folder is in use, or if anything else than a backup may have made it.
    private static func removeIfLeft(_ path: String) -> Bool {
        guard isOfBackup(path), let lock = try? Self.lock(path) else { return false }
        defer { close(lock) }
        // A backup that has just ended may have removed the locked folder, and another one may have made this one.
        var (locked, found) = (stat(), stat())
        guard fstat(lock, &locked) == 0, lstat(path, &found) == 0, locked.st_ino == found.st_ino else { return false }
        return (try? FileManager.default.removeItem(atPath: path)) != nil
    }

    private static func isOfBackup(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFDIR,
            status.st_mode & 0o777 == 0o700
        else { return false }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains(BackupArchive.parts) && BackupArchive.workNames.isSuperset(of: names)
    }

    /// Renames the folder and keeps its lock.
    func rename(to newPath: String) throws(FileError) {
        guard Glibc.rename(path, newPath) == 0 else { throw FileError("create", newPath) }
        path = newPath
        isRenamed = true
        try FileDescriptor.synchronize(folder: URL(fileURLWithPath: newPath).deletingLastPathComponent().path)
    }

    /// Makes an inner folder that is closed to others. Returns its path.
    func makeFolder(_ name: String) throws -> String {
        let inner = "\(path)/\(name)"
        guard mkdir(inner, 0o700) == 0 else {
            throw CommandFailure("\(FileError("create", inner)).", status: .cannotCreate)
        }
        return inner
    }

    /// Removes the folder and its content.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Returns when everything on the folder's file system is on disk.
    func synchronize() throws {
        let result = try ChildProcess.run(["/bin/sync", "--file-system", path], log: nil, seconds: 3600)
        guard result.status == 0 else {
            throw CommandFailure("\(path) can't be written: \(result.output)", status: .cannotCreate)
        }
    }

    /// Returns nil if another process has the lock.
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
