import Glibc
import Net

extension DiskStorage {
    /// Stores a file that another program writes, whole or not at all; it is on the disk when this returns. `make` gets the path of a file
    /// that is not there, and returns whether it has made it, with `maxBytes` at most. It lies among the uploads under the name `work` until
    /// then: `deleteWork` removes what a crash left. Returns what `make` returns. Throws `StorageError`, and what `make` throws.
    public func store(
        as key: ObjectKey,
        through work: ObjectKey,
        maxBytes: Int,
        _ make: (_ path: String) async throws -> Bool
    ) async throws -> Bool {
        let path = layout.upload(work)
        try await pool.runStorage { [volume] in try volume.admit(maxBytes) }
        do {
            guard try await make(path) else { return false }
            try await pool.runStorage { [layout, volume] in
                // Others have written meanwhile.
                try volume.admit(0)
                try DiskLayout.synchronize(path)
                try layout.move(path, to: layout.object(key))
                try DiskLayout.synchronize(layout.uploads)
            }
            return true
        } catch {
            unlink(path)
            // The work is gone: not that there is no such object.
            if error as? StorageError == .missing {
                throw StorageError.failed(SystemError(call: "rename", code: ENOENT))
            }
            throw error
        }
    }

    /// Removes the works whose names begin so. Throws `StorageError`.
    public func deleteWork(_ prefix: ObjectKey) async throws {
        for file in try await uploads() where file.key.description.hasPrefix(prefix.description) {
            try await deleteUpload(file.key)
        }
    }
}
