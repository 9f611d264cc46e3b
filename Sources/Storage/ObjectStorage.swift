/// A store of objects. These functions do the same for both kinds; most functions of uploads differ and belong to each
/// kind.
package enum ObjectStorage: Sendable {
    /// A folder of this machine.
    case disk(DiskStorage)
    /// A bucket of an S3-compatible service.
    case s3(S3Storage)

    /// Stores a small object as a whole or not at all, and replaces one of that name. `limitMs` is for S3, nil for its
    /// usual limit. Throws `StorageError`.
    package func put(_ bytes: [UInt8], as key: ObjectKey, contentType: String, limitMs: Int? = nil) async throws {
        switch self {
        case .disk(let disk): try await disk.put(bytes, as: key)
        case .s3(let s3): try await s3.put(bytes, as: key, contentType: contentType, limitMs: limitMs)
        }
    }

    /// Returns the size in bytes. Throws `StorageError`, `.missing` if there is no such object.
    package func size(of key: ObjectKey) async throws -> Int {
        switch self {
        case .disk(let disk): try await disk.size(of: key)
        case .s3(let s3): try await s3.size(of: key)
        }
    }

    /// Opens an object, or a range of it, cut at the object's end. Throws `StorageError`: `.missing`; `.outOfRange` if
    /// the range begins at or past the end.
    package func read(_ key: ObjectKey, _ range: Range<Int>? = nil) async throws -> ObjectReader {
        switch self {
        case .disk(let disk): try await disk.read(key, range)
        case .s3(let s3): try await s3.read(key, range)
        }
    }

    /// Deletes an object. A missing object is no error. Throws `StorageError`.
    package func delete(_ key: ObjectKey) async throws {
        switch self {
        case .disk(let disk): try await disk.delete(key)
        case .s3(let s3): try await s3.delete(key)
        }
    }

    /// Returns some of the objects and the position of the next ones, nil after the last. Any text is a valid
    /// `position`; start with "". Names in another form than this server's are left out. Throws `StorageError`.
    package func objects(from position: String) async throws -> StoragePage {
        switch self {
        case .disk(let disk): try await disk.objects(from: position)
        case .s3(let s3): try await s3.objects(from: position)
        }
    }

    /// Calls `body` with all objects, some hundreds at a time, in no certain order. Objects stored or deleted meanwhile
    /// may be missing or included. Throws `StorageError` and errors of `body`.
    package func forEachPage(_ body: ([StoredObject]) async throws -> Void) async throws {
        var position: String? = ""
        while let current = position {
            let page = try await objects(from: current)
            position = page.next
            if !page.objects.isEmpty { try await body(page.objects) }
        }
    }

    /// Returns unfinished uploads: files on disk, or multipart uploads in S3 with a size of 0. Throws `StorageError`.
    package func uploads() async throws -> [StoredObject] {
        switch self {
        case .disk(let disk): try await disk.uploads()
        case .s3(let s3): try await s3.multipartUploads().map(\.object)
        }
    }

    /// Deletes the data of an unfinished upload. A missing upload is no error. Throws `StorageError`.
    package func deleteUpload(_ key: ObjectKey) async throws {
        switch self {
        case .disk(let disk): try await disk.deleteUpload(key)
        case .s3(let s3):
            for upload in try await s3.multipartUploads(of: key) {
                try await s3.abortMultipartUpload(key, uploadID: upload.id)
            }
        }
    }
}

/// Some of a store's objects.
package struct StoragePage: Sendable {
    /// In no certain order.
    package let objects: [StoredObject]
    /// The position of the next objects; nil after the last.
    package let next: String?
}

/// An object in a listing.
package struct StoredObject: Sendable, Hashable {
    /// Its name.
    package let key: ObjectKey
    /// Its size, in bytes.
    package let bytes: Int
    /// The time of the write, in Unix seconds.
    package let writtenAtS: Int
}
