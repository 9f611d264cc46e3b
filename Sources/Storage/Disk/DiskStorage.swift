import Glibc
import Net

/// Objects as files below a folder, and the files of uploads that become objects.
///
/// The objects are in `objects/00` to `objects/ff`, spread by the digest of their names; the uploads are in `uploads`.
/// A file's name is its key with "," for "/". Objects appear by rename, so nobody sees one half-written.
package struct DiskStorage: Sendable {
    let layout: DiskLayout
    let volume: Volume
    let pool: StoragePool

    /// Creates the folders in `folder`, which must exist. Writes always leave `reserveBytes` of the volume free.
    /// `report` gets each error. Blocks: call it at program start. Throws `StorageError`.
    package init(
        folder: String,
        reserveBytes: Int,
        pool: BlockingPool,
        report: @escaping @Sendable (StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        layout = DiskLayout(folder: folder)
        volume = Volume(folder: folder, reserveBytes: reserveBytes)
        self.pool = StoragePool(threads: pool, report: report)
        try layout.prepare()
    }

    /// Deletes temporary files that a crash during `put` left. Only the one server that owns the folder may call it, at
    /// its start. Blocks. Throws `StorageError`.
    package func removeLeftovers() throws(StorageError) { try layout.removeTemporaries() }

    /// Returns the free bytes of the volume for this server's user, the reserve included. Throws `StorageError`.
    package func freeBytes() async throws -> Int {
        try await pool.runStorage { [volume] in try volume.freeBytes() }
    }

    /// Stores a small object as a whole or not at all. It is on the disk when this returns. Throws `StorageError`.
    package func put(_ bytes: [UInt8], as key: ObjectKey) async throws {
        try await pool.runStorage { [layout, volume] in
            try volume.admit(bytes.count)
            let temporary = layout.temporary()
            do {
                try DiskLayout.writeFile(bytes, temporary)
                try layout.move(temporary, to: layout.object(key))
            } catch {
                unlink(temporary)
                // The folder or the new file is gone: don't report this as a missing object.
                if error as? StorageError == .missing {
                    throw StorageError.failed(SystemError(call: "rename", code: ENOENT))
                }
                throw error
            }
        }
    }

    /// Returns the size in bytes. Throws `StorageError`, `.missing` if there is no such object.
    package func size(of key: ObjectKey) async throws -> Int {
        try await pool.runStorage { [layout] in try DiskLayout.size(layout.object(key)) }
    }

    /// Opens an object, or a range of it. Throws like `ObjectStorage.read`.
    package func read(_ key: ObjectKey, _ range: Range<Int>? = nil) async throws -> ObjectReader {
        try await pool.runStorage { [layout, pool] in
            let file = try StoredFile(layout.object(key))
            let part = try Range.inObject(range, objectBytes: file.bytes)
            let source = FilePieces(file, part)
            return ObjectReader(objectBytes: file.bytes, range: part, file: file, source: source, pool: pool)
        }
    }

    /// Deletes an object. A missing object is no error. Throws `StorageError`.
    package func delete(_ key: ObjectKey) async throws {
        try await pool.runStorage { [layout] in try DiskLayout.remove(layout.object(key)) }
    }

    /// Returns the objects of one folder: the first with a name of at least `position`. Throws `StorageError`.
    package func objects(from position: String) async throws -> StoragePage {
        try await pool.runStorage { [layout] in
            let names = DiskLayout.objectFolderNames.drop { $0 < position }
            guard let name = names.first else { return StoragePage(objects: [], next: nil) }
            return StoragePage(
                objects: try DiskLayout.list(layout.objectFolder(name)),
                next: names.dropFirst().first
            )
        }
    }
}
