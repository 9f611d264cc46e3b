import NeuroViewsCrypto

#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

/// A file of the app that is open for reading.
final class LocalFile: Sendable {
    private static let pieceBytes = 256 << 10

    /// For requests, which read at offsets of their own.
    let descriptor: Int32

    /// Opens a file that has a size.
    init(_ path: String) throws(LocalFileError) {
        // Without O_NONBLOCK, a pipe would wait for a writer.
        descriptor = SystemCall.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        _ = try identity()
    }

    deinit { close(descriptor) }

    /// The identity of the open file, as it is now.
    func identity() throws(LocalFileError) -> FileIdentity {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        return try Self.identity(from: status, keepsInodes: SystemCall.keepsInodes(descriptor))
    }

    private static func identity(from status: stat, keepsInodes: Bool) throws(LocalFileError) -> FileIdentity {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        return FileIdentity(
            size: Int64(status.st_size),
            modifiedNs: SystemCall.modifiedNs(status),
            inode: keepsInodes ? Int64(truncatingIfNeeded: status.st_ino) : 0
        )
    }

    /// Opens a file, if it is still this one.
    static func open(_ path: String, expecting identity: FileIdentity) throws(LocalFileError) -> LocalFile {
        let file = try LocalFile(path)
        guard try file.identity() == identity else { throw .changed }
        return file
    }

    /// True if the path has another file by now, or another thing. A file that is gone is none, and an error tells nothing.
    ///
    /// The file is not opened: while a device is locked, its system may forbid that.
    static func isOther(_ path: String, than identity: FileIdentity) -> Bool {
        var status = stat()
        guard fstatat(AT_FDCWD, path, &status, 0) == 0 else { return false }
        return (try? Self.identity(from: status, keepsInodes: identity.inode != 0)) != identity
    }

    /// Returns the SHA-256 of the whole file, on a thread of its own for the time. Throws `.changed` if the file changes
    /// meanwhile.
    @concurrent
    static func digest(of path: String, expecting identity: FileIdentity) async throws(LocalFileError) -> [UInt8] {
        let file = try LocalFile.open(path, expecting: identity)
        SystemCall.willReadAll(file.descriptor)
        let digest = try await file.digest()
        guard try file.identity() == identity else { throw .changed }
        return digest
    }

    /// Returns the SHA-256 of the whole file, as it is.
    @concurrent
    static func digest(of path: String) async throws(LocalFileError) -> [UInt8] {
        try await LocalFile(path).digest()
    }

    private func digest() async throws(LocalFileError) -> [UInt8] {
        var digest = SHA256()
        var offset: Int64 = 0
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            let piece = try read(at: offset)
            guard !piece.isEmpty else { return digest.digest() }
            digest.update(piece)
            offset += Int64(piece.count)
            // Other work of the app may need this thread.
            await Task.yield()
        }
    }

    private func read(at offset: Int64) throws(LocalFileError) -> [UInt8] {
        var code: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
            var result = -1
            repeat {
                result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            } while result < 0 && errno == EINTR
            code = result < 0 ? errno : 0
            count = max(0, result)
        }
        guard code == 0 else { throw .system(code) }
        return piece
    }
}
