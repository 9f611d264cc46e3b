import Glibc

/// The file system of a folder.
struct Volume: Sendable {
    let folder: String
    /// What writing must leave free, in bytes.
    let reserveBytes: Int

    /// What this user may still write, in bytes. Blocks. Throws `StorageError`.
    func freeBytes() throws(StorageError) -> Int {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { throw .lastFailure("statvfs") }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Throws `StorageError.full` when so many bytes more would take from the reserve.
    func admit(_ bytes: Int) throws(StorageError) {
        guard try freeBytes() - bytes >= reserveBytes else { throw .full }
    }
}
