import Glibc
import Net

extension DiskStorage {
    /// Stores a file that another program writes, as a whole or not at all. It is on the disk when this returns. `make`
    /// gets a path without a file. It returns true if it created a file of at most `maxBytes` there. Until the end, the
    /// file is among the uploads under the name `work`. After a crash `deleteWork` removes it. Returns the result of
    /// `make`. Throws `StorageError` and errors of `make`.
    package func store(
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
                // Others may have filled the volume meanwhile.
                try volume.admit(0)
                try DiskLayout.synchronize(path)
                try layout.move(path, to: layout.object(key))
                try DiskLayout.synchronize(layout.uploads)
            }
            return true
        } catch {
            unlink(path)
            // The work file is gone: don't report this as a missing object.
            if error as? StorageError == .missing {
                throw StorageError.failed(SystemError(call: "rename", code: ENOENT))
            }
            throw error
        }
    }

    /// Deletes all work files with this name prefix. Throws `StorageError`.
    package func deleteWork(_ prefix: ObjectKey) async throws {
        for file in try await uploads() where file.key.description.hasPrefix(prefix.description) {
            try await deleteUpload(file.key)
        }
    }
}
