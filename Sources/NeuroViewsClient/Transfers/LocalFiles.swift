#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What tells that a file is still the one that was queued: another content has another size, time or inode.
struct FileIdentity: Sendable, Equatable {
    /// In bytes.
    let size: Int64
    /// The time of the last change, in nanoseconds since 1970.
    let modifiedNs: Int64
    /// The file's number in its file system: another file under the same name has another one. 0 where a file gets another one by itself.
    let inode: Int64
}

/// A local file that can't be used.
enum LocalFileError: Error, Equatable {
    /// An errno, such as ENOENT.
    case system(Int32)
    /// It is a folder, a pipe or another thing without a size.
    case noFile
    /// It is not the file that was queued, or it changed meanwhile.
    case changed
    /// The task was cancelled.
    case cancelled
}

/// The reason why a download can't be kept.
enum PartFileError: Error, Equatable {
    /// An errno, such as ENOSPC.
    case system(Int32)
    /// Another download of this file is under way.
    case busy

    /// The same for the app.
    func error(_ path: String) -> ClientError {
        switch self {
        case .system(let code): ClientError(TransportError.file(code: code))
        case .busy: .invalidArgument("\(path) is being downloaded already.")
        }
    }
}

extension URL {
    /// The absolute path of a local file. Throws `.invalidArgument` for another URL, and for a path that the system would cut
    /// off at a zero.
    func localPath() throws(ClientError) -> String {
        guard isFileURL else { throw .invalidArgument("\(absoluteString) is no local file.") }
        let path = absoluteURL.path
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidArgument("The path has a zero.") }
        return path
    }
}
