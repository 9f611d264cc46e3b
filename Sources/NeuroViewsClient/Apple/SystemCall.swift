import Darwin

/// The system calls that Linux has in another shape, and those with the name of a method.
enum SystemCall {
    /// open(2).
    static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 { Darwin.open(path, flags, mode) }

    /// write(2).
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Darwin.write(descriptor, bytes, count)
    }

    /// The meaning of an errno.
    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// The time of a file's last change, in nanoseconds since 1970.
    static func modifiedNs(_ status: stat) -> Int64 {
        Int64(status.st_mtimespec.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtimespec.tv_nsec)
    }

    /// False for file systems with other inodes after each mount. Here there is none.
    static func keepsInodes(_ descriptor: Int32) -> Bool { true }

    /// Tells the system that the whole file will be read.
    static func willReadAll(_ descriptor: Int32) { _ = fcntl(descriptor, F_RDAHEAD, 1) }

    /// The path of an open file; nil if it has none any more.
    static func path(of descriptor: Int32) -> String? {
        var path = [UInt8](repeating: 0, count: Int(MAXPATHLEN))
        guard fcntl(descriptor, F_GETPATH, &path) == 0 else { return nil }
        let text = String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
        return access(text, F_OK) == 0 ? text : nil
    }

    /// Puts a file or a folder onto the disk. Returns 0, or -1 with an errno. fsync(2) leaves bytes in the disk's own memory;
    /// file systems that do not know F_FULLFSYNC, such as those of networks, get it.
    static func synchronize(_ descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    }
}
