import CLinux
import Glibc
import Net
import NeuroViewsCrypto

/// The file paths in the folder of a `DiskStorage`, and operations on them. Everything blocks.
struct DiskLayout: Sendable {
    let folder: String
    var uploads: String { folder + "/uploads" }
    private var objects: String { folder + "/objects" }
    static let objectFolderNames = (0...UInt8.max).map { Hex.encode([$0]) }

    func objectFolder(_ name: String) -> String { "\(objects)/\(name)" }

    func upload(_ key: ObjectKey) -> String { "\(uploads)/\(Self.fileName(key))" }

    func object(_ key: ObjectKey) -> String {
        let spread = SHA256.hash(Array(key.description.utf8)).prefix(1)
        return "\(objectFolder(Hex.encode(Array(spread))))/\(Self.fileName(key))"
    }

    /// Returns a new name. It begins with a dot; no key does.
    func temporary() -> String { "\(uploads)/.\(UInt64.random(in: .min ... .max))" }

    func prepare() throws(StorageError) {
        for path in [uploads, objects] + Self.objectFolderNames.map(objectFolder)
        where mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw .lastFailure("mkdir")
        }
        for path in [objects, folder] { try Self.synchronize(path) }
    }

    func removeTemporaries() throws(StorageError) {
        for name in try Self.names(in: uploads) where name.hasPrefix(".") { unlink("\(uploads)/\(name)") }
    }

    /// Renames a file. The new name is durable when this returns.
    func move(_ file: String, to final: String) throws(StorageError) {
        guard rename(file, final) == 0 else { throw .lastFailure("rename") }
        try Self.synchronize(folder(of: final))
    }

    func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    private static func fileName(_ key: ObjectKey) -> String {
        String(key.description.map { $0 == "/" ? "," : $0 })
    }

    private static func key(ofFile name: String) -> ObjectKey? {
        ObjectKey(String(name.map { $0 == "," ? "/" : $0 }))
    }
}

extension DiskLayout {
    /// Returns after a file's content, or the names in a folder, are on the disk (fsync).
    static func synchronize(_ path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .lastFailure("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .lastFailure("fsync") }
    }

    /// Creates a new file. Its content is on the disk when this returns.
    static func writeFile(_ bytes: [UInt8], _ path: String) throws(StorageError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .lastFailure("open") }
        defer { close(descriptor) }
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor, at: 0)
        } catch {
            throw StorageError(error)
        }
        guard fdatasync(descriptor) == 0 else { throw .lastFailure("fdatasync") }
    }

    static func remove(_ path: String) throws(StorageError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .lastFailure("unlink") }
    }

    static func size(_ path: String) throws(StorageError) -> Int { Int(try status(path).st_size) }

    private static func status(_ path: String) throws(StorageError) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .lastFailure("stat") }
        return status
    }

    /// Lists the files of a folder that are named by a key.
    static func list(_ folder: String) throws(StorageError) -> [StoredObject] {
        var found: [StoredObject] = []
        for name in try names(in: folder) {
            guard let key = key(ofFile: name) else { continue }
            do {
                let status = try status("\(folder)/\(name)")
                found.append(StoredObject(key: key, bytes: Int(status.st_size), writtenAtS: status.st_mtim.tv_sec))
            } catch .missing {
                // Deleted after the folder was read.
                continue
            }
        }
        return found
    }

    private static func names(in folder: String) throws(StorageError) -> [String] {
        guard let stream = opendir(folder) else { throw .lastFailure("opendir") }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            names.append(String(cString: nv_entry_name(entry)))
        }
        guard errno == 0 else { throw .lastFailure("readdir") }
        return names
    }
}
