import Glibc
import Net

/// An open stored object. It stays readable after the object is deleted.
package final class StoredFile: Sendable {
    /// The descriptor, open for reading until this value is released. Use sendfile(2) with your own position.
    package let descriptor: Int32
    /// The object's size in bytes; it never changes.
    let bytes: Int

    /// Blocks. Throws `StorageError`.
    init(_ path: String) throws(StorageError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .lastFailure("open") }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = StorageError.lastFailure("fstat")
            close(descriptor)
            throw error
        }
        bytes = Int(status.st_size)
    }

    deinit { close(descriptor) }
}

/// A range of a file, read with its own position.
final class FilePieces: PieceSource {
    private static let pieceBytes = 256 << 10
    private let file: StoredFile
    private let end: Int
    private let position: Locked<Int>

    init(_ file: StoredFile, _ range: Range<Int>) {
        self.file = file
        position = Locked(range.lowerBound)
        end = range.upperBound
        posix_fadvise(file.descriptor, range.lowerBound, range.count, POSIX_FADV_SEQUENTIAL)
    }

    func piece() throws -> [UInt8]? {
        try position.withLock { position throws(StorageError) in
            guard position < end else { return nil }
            let piece = try read(at: position)
            position += piece.count
            return piece
        }
    }

    private func read(at position: Int) throws(StorageError) -> [UInt8] {
        let wanted = min(Self.pieceBytes, end - position)
        var piece = [UInt8](repeating: 0, count: wanted)
        let count = retryingInterrupted { pread(file.descriptor, &piece, wanted, position) }
        guard count >= 0 else { throw .lastFailure("pread") }
        // Only a damaged file ends before its expected length.
        guard count > 0 else { throw .missing }
        piece.removeLast(wanted - count)
        return piece
    }
}

extension StorageError {
    /// Makes an error from errno after a failed call.
    static func lastFailure(_ call: String) -> StorageError { StorageError(SystemError(call: call, code: errno)) }

    /// The error of a failed call on the store's files.
    init(_ error: SystemError) {
        self =
            switch error.code {
            case ENOENT: .missing
            case ENOSPC, EDQUOT: .full
            default: .failed(error)
            }
    }
}

/// Repeats a system call that a signal interrupted.
func retryingInterrupted(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
