import Glibc

extension DiskStorage {
    /// Creates the file of an upload, or opens an existing one. Its name is on the disk when this returns. Throws
    /// `StorageError`.
    package func createUpload(_ key: ObjectKey) async throws -> UploadFile {
        try await pool.runStorage { [layout, volume, pool] in
            let file = try UploadFile(layout.upload(key), flags: O_CREAT, volume: volume, pool: pool)
            try DiskLayout.synchronize(layout.uploads)
            return file
        }
    }

    /// Opens the file of an upload. Throws `StorageError`, `.missing` if there is none.
    package func openUpload(_ key: ObjectKey) async throws -> UploadFile {
        try await pool.runStorage { [layout, volume, pool] in
            try UploadFile(layout.upload(key), flags: 0, volume: volume, pool: pool)
        }
    }

    /// Turns an upload's file into an object. Content and name are on the disk when this returns. A repeated call is no
    /// error while the object exists. Throws `StorageError`, `.missing` if there is neither file nor object.
    package func finishUpload(_ upload: ObjectKey, as object: ObjectKey) async throws {
        try await pool.runStorage { [layout] in
            let (file, final) = (layout.upload(upload), layout.object(object))
            do {
                try DiskLayout.synchronize(file)
                try layout.move(file, to: final)
                try DiskLayout.synchronize(layout.uploads)
            } catch StorageError.missing {
                _ = try DiskLayout.size(final)
                try DiskLayout.synchronize(layout.folder(of: final))
            }
        }
    }

    /// Deletes the file of an upload. A missing file is no error. Throws `StorageError`.
    package func deleteUpload(_ key: ObjectKey) async throws {
        try await pool.runStorage { [layout] in try DiskLayout.remove(layout.upload(key)) }
    }

    /// Returns the files of all uploads with their lengths. Throws `StorageError`.
    package func uploads() async throws -> [StoredObject] {
        try await pool.runStorage { [layout] in try DiskLayout.list(layout.uploads) }
    }
}
