import Storage

/// The names of recordings' objects: 32 hexadecimal digits for the file. Thumbnails and previews add a dot and a
/// suffix.
enum RecordingObject {
    private static let digits = 32

    /// The name of the file's object, without the suffix of a thumbnail or preview.
    static func base(of name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Deletes all objects of a recording. Its file may be an object or an unfinished upload. Throws `StorageError`.
    static func remove(_ objectKey: String, from storage: ObjectStorage) async throws {
        guard let key = ObjectKey(objectKey), let thumbnail = ObjectKey(ThumbnailObject.key(of: objectKey)),
            let preview = ObjectKey(PreviewObject.key(of: objectKey))
        else { return }
        try await storage.deleteUpload(key)
        try await storage.delete(key)
        try await storage.delete(thumbnail)
        try await storage.delete(preview)
    }

    /// True if a server may have made the name. Other objects in a bucket belong to others.
    static func isOwn(_ key: ObjectKey) -> Bool {
        let digits = base(of: key.description).utf8
        return digits.count == Self.digits && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}

/// An object that could not be deleted. A sweep will try again.
struct UndeletedObject: Error, CustomStringConvertible {
    let objectKey: String
    let reason: any Error

    var description: String { "\(objectKey) can't be deleted: \(reason)" }
}
