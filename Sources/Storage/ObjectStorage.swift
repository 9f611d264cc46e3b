/// Where objects are kept. Both kinds do the same here; uploads differ, so their functions belong to each kind.
public enum ObjectStorage: Sendable {
    /// A folder of this machine.
    case disk(DiskStorage)
    /// A bucket of an S3-compatible service.
    case s3(S3Storage)

    /// Stores a small object whole or not at all, replacing one of that name. Throws `StorageError`.
    public func put(_ bytes: [UInt8], as key: ObjectKey, contentType: String) async throws {
        switch self {
        case .disk(let disk): try await disk.put(bytes, as: key)
        case .s3(let s3): try await s3.put(bytes, as: key, contentType: contentType)
        }
    }

    /// The size in bytes. Throws `StorageError`, `.missing` when there is no such object.
    public func size(of key: ObjectKey) async throws -> Int {
        switch self {
        case .disk(let disk): try await disk.size(of: key)
        case .s3(let s3): try await s3.size(of: key)
        }
    }

    /// Opens an object, or a range of it, which is cut at the object's end. Throws `StorageError`: `.missing`; `.outOfRange` when the
    /// range begins at or past the end.
    public func read(_ key: ObjectKey, _ range: Range<Int>? = nil) async throws -> ObjectReader {
        switch self {
        case .disk(let disk): try await disk.read(key, range)
        case .s3(let s3): try await s3.read(key, range)
        }
    }

    /// Deletes an object. One that is not there is no error. Throws `StorageError`.
    public func delete(_ key: ObjectKey) async throws {
        switch self {
        case .disk(let disk): try await disk.delete(key)
        case .s3(let s3): try await s3.delete(key)
        }
    }

    /// Calls `body` with all objects, some hundreds at a time, in no certain order. Objects that are stored or deleted meanwhile may
    /// be among them or not; names that this server does not make are left out. Throws `StorageError` and what `body` throws.
    public func forEachPage(_ body: ([StoredObject]) async throws -> Void) async throws {
        switch self {
        case .disk(let disk): try await disk.forEachPage(body)
        case .s3(let s3): try await s3.forEachPage(body)
        }
    }
}

/// An object in a listing.
public struct StoredObject: Sendable, Hashable {
    /// Its name.
    public let key: ObjectKey
    /// Its size, in bytes.
    public let bytes: Int
}
