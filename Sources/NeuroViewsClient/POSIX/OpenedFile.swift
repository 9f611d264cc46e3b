import NeuroViewsCrypto

#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

/// The file beside a download that gets the bytes of a sealed recording as they open. It becomes the target when all of them have
/// opened, and is removed otherwise.
final class OpenedFile {
    private let part: PartFile
    private let path: String
    private let descriptor: Int32

    /// Makes the file anew. The caller has the part, so nobody else works on it.
    init(_ part: PartFile) throws(PartFileError) {
        (self.part, path) = (part, part.path + ".opened")
        unlink(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .system(errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: ArraySlice<UInt8>) throws(PartFileError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .system(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes it the target, and removes the sealed bytes.
    func finish() throws(PartFileError) {
        try part.place(descriptor, path)
        part.remove()
    }

    func remove() { unlink(path) }
}
