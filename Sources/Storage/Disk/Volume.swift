import Glibc

/// The file system of a folder.
struct Volume: Sendable {
    let folder: String
    /// The bytes that writes must leave free.
    let reserveBytes: Int

    /// Returns the free bytes for this user. Blocks. Throws `StorageError`.
    func freeBytes() throws(StorageError) -> Int {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { throw .lastFailure("statvfs") }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Throws `StorageError.full` if this many more bytes would use the reserve.
    func admit(_ bytes: Int) throws(StorageError) {
        guard try freeBytes() - bytes >= reserveBytes else { throw .full }
    }
}
