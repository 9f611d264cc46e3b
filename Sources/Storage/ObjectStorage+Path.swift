extension ObjectStorage {
    /// Where an object lies as a file, for a program that reads it; nil for one in S3. The file may not be there.
    public func path(of key: ObjectKey) -> String? {
        switch self {
        case .disk(let disk): disk.path(of: key)
        case .s3: nil
        }
    }
}

extension DiskStorage {
    /// Where an object lies, whether it is there or not.
    public func path(of key: ObjectKey) -> String { layout.object(key) }
}
