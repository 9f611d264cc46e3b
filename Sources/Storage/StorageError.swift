import Net

/// Why an operation on stored objects failed.
public enum StorageError: Error, Equatable {
    /// There is no such object, upload file or multipart upload.
    case missing
    /// The range begins at or past the object's end.
    case outOfRange(sizeBytes: Int)
    /// The upload's length is not the offset of the append. Nothing was written.
    case wrongOffset(lengthBytes: Int)
    /// The volume has no room above its reserve, or a quota is used up. Nothing was written.
    case full
    /// Too many jobs wait for the blocking pool.
    case busy
    /// The S3 service can't be reached, is too slow, or ended the connection; in words for the log.
    case unavailable(String)
    /// The S3 service returned an error: its status, code and message.
    case refused(status: Int, code: String, message: String)
    /// A system call on the disk failed.
    case failed(SystemError)
}
