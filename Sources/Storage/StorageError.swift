import Net

/// The reason why an operation on stored objects failed.
package enum StorageError: Error, Equatable {
    /// There is no such object, upload file or multipart upload.
    case missing
    /// The range begins at or past the object's end.
    case outOfRange(sizeBytes: Int)
    /// The upload's length is not the offset of the append. Nothing was written.
    case wrongOffset(lengthBytes: Int)
    /// The volume has no space above its reserve, or a quota is used up. Nothing was written.
    case full
    /// Too many jobs wait for the blocking pool.
    case busy
    /// The S3 service can't be reached, is too slow, or closed the connection. The text is for the log.
    case unavailable(String)
    /// The S3 service returned an error: its status, code and message.
    case refused(status: Int, code: String, message: String)
    /// A system call on the disk failed.
    case failed(SystemError)
}

extension StorageError: CustomStringConvertible {
    /// A text for the log.
    package var description: String {
        switch self {
        case .missing: "there is no such object"
        case .outOfRange(let sizeBytes): "the object has \(sizeBytes) bytes"
        case .wrongOffset(let lengthBytes): "the upload has \(lengthBytes) bytes"
        case .full: "the volume is full"
        case .busy: "too many wait for the store"
        case .unavailable(let reason): reason
        case .refused(let status, let code, let message): "S3 answered \(status) \(code) \(message)"
        case .failed(let error): "\(error)"
        }
    }
}
