import Machine

/// The mount points of this process (proc_pid_mountinfo(5)). Device numbers are not enough: a bind mount may have its
/// parent's device.
struct MountPoints {
    private let paths: Set<String>

    /// Reads the kernel's list.
    static func current() throws(FileError) -> MountPoints {
        MountPoints(try FileDescriptor.readText("/proc/self/mountinfo", maxBytes: 16 << 20))
    }

    /// Parses a list.
    init(_ text: String) {
        // "36 35 98:0 /root /mount/point rw,noatime - ext3 /dev/root rw"
        paths = Set(
            text.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                return words.count > 4 ? Self.unescaped(words[4]) : nil
            }
        )
    }

    /// Returns true if a file system is mounted at `path`, which must be absolute and without symbolic links.
    func contains(_ path: String) -> Bool { paths.contains(path) }

    /// The kernel writes blanks and backslashes as three octal digits.
    private static func unescaped(_ word: Substring) -> String {
        let parts = word.split(separator: "\\", omittingEmptySubsequences: false)
        var bytes = Array((parts.first ?? "").utf8)
        for part in parts.dropFirst() {
            bytes += UInt8(part.prefix(3), radix: 8).map { [$0] } ?? []
            bytes += Array(part.dropFirst(3).utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
