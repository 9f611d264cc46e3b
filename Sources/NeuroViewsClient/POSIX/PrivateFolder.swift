#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

/// A folder that only its owner can enter, with small files that only they can read. Both are checked through open
/// descriptors, so nobody can exchange them in between.
struct PrivateFolder: ~Copyable {
    enum Failure: Error {
        case system(FileFailure)
        case notPrivate(String)
    }

    private static let fileMaxBytes = 64 << 10
    private let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens the folder. Throws `.system` with ENOENT if there is none.
    static func open(_ path: String) throws(Failure) -> PrivateFolder {
        let descriptor = SystemCall.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        let folder = PrivateFolder(path: path, descriptor: descriptor)
        try check(descriptor, path, S_IFDIR)
        return folder
    }

    /// Opens the folder, which is made first, with those above it, if it is missing.
    static func make(_ path: String) throws(Failure) -> PrivateFolder {
        try makeMissing(path)
        return try open(path)
    }

    /// Returns the content of a file, nil if there is none.
    func read(_ name: String) throws(Failure) -> [UInt8]? {
        let full = "\(path)/\(name)"
        // Without O_NONBLOCK, a pipe of that name would wait for a writer.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
        if file < 0 && errno == ENOENT { return nil }
        guard file >= 0 else { throw Self.failure(full) }
        defer { close(file) }
        try Self.check(file, full, S_IFREG)
        var bytes = [UInt8](repeating: 0, count: Self.fileMaxBytes + 1)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Self.failure(full) }
        guard count <= Self.fileMaxBytes else { throw .system(FileFailure(full, code: EFBIG)) }
        return Array(bytes[..<count])
    }

    /// Replaces a file with at most 64 KiB, so that after a crash or a power failure either content is there, and whole. Processes take turns.
    func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Self.fileMaxBytes else { throw .system(FileFailure("\(path)/\(name)", code: EFBIG)) }
        let lock = try takeTurn()
        defer { close(lock) }
        let temporary = Self.temporary(for: name)
        unlinkat(descriptor, temporary, 0)
        do throws(Failure) {
            try writeNew(temporary, bytes)
            guard renameat(descriptor, temporary, descriptor, name) == 0 else { throw Self.failure("\(path)/\(name)") }
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        try synchronize()
    }

    /// Removes a file, if it is there, and what a crash has left of its replacement. Processes take turns.
    func remove(_ name: String) throws(Failure) {
        let lock = try takeTurn()
        defer { close(lock) }
        for file in [Self.temporary(for: name), name] {
            guard unlinkat(descriptor, file, 0) == 0 || errno == ENOENT else { throw Self.failure("\(path)/\(file)") }
        }
        try synchronize()
    }

    /// The file that takes the place of `name` when it is whole.
    private static func temporary(for name: String) -> String { ".\(name).new" }

    private func writeNew(_ name: String, _ bytes: [UInt8]) throws(Failure) {
        let full = "\(path)/\(name)"
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(full) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SystemCall.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(full) }
            rest = rest.dropFirst(count)
        }
        guard SystemCall.synchronize(file) == 0 else { throw Self.failure(full) }
    }

    /// Writes take milliseconds, so this waits without a limit. Closing the descriptor ends the turn.
    private func takeTurn() throws(Failure) -> Int32 {
        let file = openat(descriptor, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("\(path)/.lock") }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else {
                defer { close(file) }
                throw Self.failure("\(path)/.lock")
            }
        }
        return file
    }

    private func synchronize() throws(Failure) {
        guard SystemCall.synchronize(descriptor) == 0 else { throw Self.failure(path) }
    }

    private static func makeMissing(_ path: String) throws(Failure) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw failure(path) }
        try makeMissing(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
    }

    private static func check(_ descriptor: Int32, _ path: String, _ kind: mode_t) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        let isPrivate = status.st_mode & S_IFMT == kind && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
        guard isPrivate else { throw .notPrivate(path) }
    }

    /// Uses the current errno. O_NOFOLLOW refuses a link with ELOOP, or with ENOTDIR if a folder was asked for.
    private static func failure(_ path: String) -> Failure {
        errno == ELOOP || errno == ENOTDIR ? .notPrivate(path) : .system(FileFailure(path))
    }
}

/// A failed system call on a file, with its errno.
struct FileFailure: Error, Equatable, CustomStringConvertible {
    let path: String
    let code: Int32

    /// Uses the current errno unless one is given.
    init(_ path: String, code: Int32 = errno) {
        self.path = path
        self.code = code
    }

    var description: String { "\(path): \(String(cString: strerror(code)))" }
}
