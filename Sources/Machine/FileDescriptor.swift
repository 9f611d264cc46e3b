import CLinux
import Glibc
import NeuroViewsCrypto

/// An open file that closes itself, with complete reads and writes. Child processes never inherit it.
package struct FileDescriptor: ~Copyable {
    package let number: Int32
    private let path: String

    package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) {
        number = open(path, flags | O_CLOEXEC, mode)
        self.path = path
        if number < 0 { throw FileError(flags & O_CREAT == 0 ? "open" : "create", path) }
    }

    /// Opens a file of a data folder, which another account may own. It must be a regular file with one name, owned by
    /// this account, root or the folder's owner. So a link that the folder's owner puts there cannot lead root to
    /// another file.
    package static func own(_ path: String, _ flags: Int32) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, flags | O_NOFOLLOW | O_NONBLOCK)
        let found = try file.status()
        var folder = stat()
        guard stat(FilePath.folder(of: path), &folder) == 0 else { throw FileError("look at", path) }
        let isOwn = [geteuid(), 0, folder.st_uid].contains(found.st_uid)
        guard found.st_mode & S_IFMT == S_IFREG else { throw FileError("open", path, "it is no file: remove it") }
        guard found.st_nlink == 1 else {
            throw FileError("open", path, "the file has another name, too: copy it, and remove the link")
        }
        guard isOwn else {
            throw FileError("open", path, "it belongs to somebody else: chown it to the folder's owner, or remove it")
        }
        return file
    }

    /// Takes ownership of an open file. `path` is only for messages.
    init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// Makes the next read begin with the first byte.
    package func rewind() throws(FileError) {
        guard lseek(number, 0, SEEK_SET) == 0 else { throw FileError("read", path) }
    }

    /// Gives a file that root made in another account's folder to that account, because that account uses it.
    package func giveToFolderOwner() throws(FileError) {
        var folder = stat()
        guard stat(FilePath.folder(of: path), &folder) == 0 else { throw FileError("look at", path) }
        guard geteuid() != 0 || fchown(number, folder.st_uid, folder.st_gid) == 0 else {
            throw FileError("give away", path)
        }
    }

    package func status() throws(FileError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileError("look at", path) }
        return status
    }

    /// Reads the available bytes, at most `maxBytes`; empty at the end.
    package func readSome(maxBytes: Int) throws(FileError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: maxBytes)
        while true {
            let count = Glibc.read(number, &chunk, maxBytes)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path) }
            return Array(chunk[..<count])
        }
    }

    /// Reads at most `maxBytes` from the current position.
    package func read(maxBytes: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(maxBytes, 65536))
        // The bytes may be a key.
        defer { chunk.wipe() }
        while bytes.count < maxBytes {
            let count = Glibc.read(number, &chunk, min(chunk.count, maxBytes - bytes.count))
            if count == 0 { break }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileError("read", path) }
            bytes += chunk[..<count]
        }
        return bytes
    }

    package func write(_ bytes: [UInt8]) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(number, rest, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileError("write", path) }
            rest.removeFirst(count)
        }
    }

    /// Returns when the content is on disk.
    package func synchronize() throws(FileError) {
        guard fsync(number) == 0 else { throw FileError("write", path) }
    }

    /// Makes a rename or a new name in `folder` survive a power failure.
    package static func synchronize(folder: String) throws(FileError) {
        try FileDescriptor(folder, O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// True if others than the owner and the group have any rights to a file.
    package static func isPublic(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o007 != 0
    }

    package static func readText(_ path: String, maxBytes: Int = 1 << 20) throws(FileError) -> String {
        String(decoding: try FileDescriptor(path, O_RDONLY).read(maxBytes: maxBytes), as: UTF8.self)
    }

    /// Reads the text of a file that `own` opens.
    package static func readOwnText(_ path: String, maxBytes: Int) throws(FileError) -> String {
        String(decoding: try own(path, O_RDONLY).read(maxBytes: maxBytes), as: UTF8.self)
    }

    /// Reads at most the last `maxBytes` of a file that `own` opens.
    package static func readTail(_ path: String, maxBytes: Int) throws(FileError) -> String {
        let file = try own(path, O_RDONLY)
        let size = Int(try file.status().st_size)
        guard lseek(file.number, max(0, size - maxBytes), SEEK_SET) >= 0 else { throw FileError("read", path) }
        return String(decoding: try file.read(maxBytes: maxBytes), as: UTF8.self)
    }
}

/// A pipe. Programs inherit its ends only if they are passed explicitly.
///
/// Frozen: other modules take one end out of it.
@frozen package struct PipeEnds: ~Copyable {
    package let reading: FileDescriptor
    package let writing: FileDescriptor

    package init() throws(FileError) {
        var ends: [Int32] = [-1, -1]
        guard nv_pipe(&ends) == 0 else { throw FileError("create", "a pipe") }
        reading = FileDescriptor(number: ends[0], path: "a pipe")
        writing = FileDescriptor(number: ends[1], path: "a pipe")
    }
}
