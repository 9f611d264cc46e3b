import Glibc

extension DiskStorage {
    /// How many folders objects are spread over.
    public static let partCount = 256

    /// The objects of one of the folders, counted from 0. Throws `StorageError`.
    public func objects(inPart part: Int) async throws -> [StoredObject] {
        try await pool.runStorage { [layout] in try DiskLayout.list(layout.objectFolders[part]) }
    }

    /// How long ago an object was written, in seconds. Throws `StorageError`.
    public func ageSeconds(of key: ObjectKey) async throws -> Int {
        try await pool.runStorage { [layout] in try DiskLayout.ageSeconds(layout.object(key)) }
    }

    /// How long ago the file of an upload was written to, in seconds. Throws `StorageError`.
    public func ageSeconds(ofUpload key: ObjectKey) async throws -> Int {
        try await pool.runStorage { [layout] in try DiskLayout.ageSeconds(layout.upload(key)) }
    }
}

extension DiskLayout {
    fileprivate static func ageSeconds(_ path: String) throws(StorageError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .lastFailure("stat") }
        return time(nil) - status.st_mtim.tv_sec
    }
}
