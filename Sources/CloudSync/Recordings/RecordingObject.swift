import Storage

/// The names of recordings' objects: 32 hexadecimal digits of the file's, and behind a dot what was made of it.
enum RecordingObject {
    private static let digits = 32

    /// The file's object, of which the names of thumbnail and preview are made.
    static func base(of name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Deletes all that there is of a recording. Its file may be an object, or that of an upload that was never completed. Throws
    /// `StorageError`.
    static func remove(_ objectKey: String, from storage: ObjectStorage) async throws {
        guard let key = ObjectKey(objectKey), let thumbnail = ObjectKey(ThumbnailObject.key(of: objectKey)),
            let preview = ObjectKey(PreviewObject.key(of: objectKey))
        else { return }
        try await storage.deleteUpload(key)
        try await storage.delete(key)
        try await storage.delete(thumbnail)
        try await storage.delete(preview)
    }

    /// Whether a server may have made the name. Other objects in a bucket are somebody else's.
    static func isOwn(_ key: ObjectKey) -> Bool {
        let digits = base(of: key.description).utf8
        return digits.count == Self.digits && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
