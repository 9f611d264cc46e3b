extension ObjectStorage {
    /// The file path of an object, for a program that reads it; nil in S3. The file may be missing.
    package func path(of key: ObjectKey) -> String? {
        switch self {
        case .disk(let disk): disk.path(of: key)
        case .s3: nil
        }
    }
}

extension DiskStorage {
    /// The file path of an object. The file may be missing.
    package func path(of key: ObjectKey) -> String { layout.object(key) }
}
