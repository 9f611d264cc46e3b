import CLinux
import Glibc

/// The file of this process's listening Unix socket. Processes with write permission on it can connect.
struct UnixSocketFile: Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Binds `descriptor` to the path and listens. Replaces a dead socket. Throws `SystemError`: `EADDRINUSE` for a
    /// live socket, `EEXIST` if the path is not a socket.
    init(binding descriptor: Int32, to path: String, mode: mode_t, backlog: Int32) throws(SystemError) {
        guard let address = UnixAddress(path) else { throw SystemError(call: "bind", code: ENAMETOOLONG) }
        let folder = try Self.lockFolder(of: path)
        defer { Glibc.close(folder) }
        try Self.removeDead(path, address)
        _ = try SystemError.check(address.withSystemAddress { Glibc.bind(descriptor, $0, $1) }, "bind")
        // Before `listen`, so only processes with permission ever connect.
        _ = try SystemError.check(chmod(path, mode), "chmod")
        _ = try SystemError.check(listen(descriptor, backlog), "listen")
        var status = stat()
        _ = try SystemError.check(lstat(path, &status), "lstat")
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file, unless another server has replaced it.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    /// Locks the folder. Otherwise two servers could find the same dead socket, and the second would remove the first
    /// one's new socket.
    private static func lockFolder(of path: String) throws(SystemError) -> Int32 {
        let name = path.lastIndex(of: "/") ?? path.startIndex
        let folder = name == path.startIndex ? "/" : String(path[..<name])
        let descriptor = try SystemError.check(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open")
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = SystemError(call: "flock", code: errno)
                Glibc.close(descriptor)
                throw error
            }
        }
        return descriptor
    }

    private static func removeDead(_ path: String, _ address: UnixAddress) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(call: "bind", code: EEXIST) }
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let client = try SystemError.check(socket(AF_UNIX, flags, 0), "socket")
        defer { Glibc.close(client) }
        // Only ECONNREFUSED proves a dead socket. Other errors, such as a full queue, mean a live one.
        let isDead = address.withSystemAddress { connect(client, $0, $1) } != 0 && errno == ECONNREFUSED
        guard isDead else { throw SystemError(call: "bind", code: EADDRINUSE) }
        _ = try SystemError.check(unlink(path), "unlink")
    }
}
