#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

/// The file of an unfinished download, beside the file that it will be, with the tag of the answer that began it.
final class PartFile: Sendable {
    private static let tagMaxBytes = 1024

    let descriptor: Int32
    let path: String
    let target: String

    private init(_ descriptor: Int32, _ path: String, _ target: String) {
        (self.descriptor, self.path, self.target) = (descriptor, path, target)
    }

    deinit { close(descriptor) }

    /// Opens the part of a file, or begins one. `mark` identifies the content, so that no other file has the part's name. Throws `.busy` for
    /// a part that another download has open: two would mix their bytes.
    static func open(of target: String, mark: String) throws(PartFileError) -> PartFile {
        let path = "\(target).\(mark).part"
        while true {
            let descriptor = SystemCall.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw .system(errno) }
            let part = PartFile(descriptor, path, target)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw errno == EWOULDBLOCK ? .busy : .system(errno) }
            // Another download may have finished the file between the two calls.
            if try part.isAtItsPath() { return part }
        }
    }

    /// The bytes that are here.
    func length() throws(PartFileError) -> Int64 { Int64(try status().st_size) }

    /// The tag of the answer that the bytes are from, for If-Range; nil if it is not known, or a weak one, which is not good
    /// for it (RFC 9110, 13.1.5). Others may have written into the file.
    var tag: String? {
        let descriptor = SystemCall.open(tagPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.tagMaxBytes)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 1, bytes[0] == UInt8(ascii: "\""), bytes[count - 1] == bytes[0],
            bytes[..<count].allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Keeps the tag of an answer. Without one the bytes are good for this run only.
    func note(tag: String?) {
        unlink(tagPath)
        guard let tag, tag.utf8.count < Self.tagMaxBytes else { return }
        let descriptor = SystemCall.open(tagPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(tag.utf8)
        if write(descriptor, bytes, bytes.count) != bytes.count { unlink(tagPath) }
    }

    /// Drops the bytes.
    func empty() throws(PartFileError) {
        note(tag: nil)
        guard ftruncate(descriptor, 0) == 0 else { throw .system(errno) }
    }

    /// Makes it the file, so that after a crash either the former one is there or this one, and whole.
    @concurrent
    func finish() async throws(PartFileError) {
        try place(descriptor, path)
        unlink(tagPath)
    }

    /// Removes the bytes and their tag.
    func remove() {
        unlink(path)
        unlink(tagPath)
    }

    /// Makes an open file beside it the target.
    func place(_ descriptor: Int32, _ path: String) throws(PartFileError) {
        guard SystemCall.synchronize(descriptor) == 0, rename(path, target) == 0 else { throw .system(errno) }
        let end = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        let folder = SystemCall.open(
            end > target.startIndex ? String(target[..<end]) : ".",
            O_RDONLY | O_DIRECTORY | O_CLOEXEC
        )
        guard folder >= 0 else { throw .system(errno) }
        defer { close(folder) }
        guard SystemCall.synchronize(folder) == 0 else { throw .system(errno) }
    }

    private var tagPath: String { path + ".etag" }

    private func status() throws(PartFileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .system(EINVAL) }
        return status
    }

    private func isAtItsPath() throws(PartFileError) -> Bool {
        var named = stat()
        guard lstat(path, &named) == 0 else {
            guard errno == ENOENT else { throw .system(errno) }
            return false
        }
        let own = try status()
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}
