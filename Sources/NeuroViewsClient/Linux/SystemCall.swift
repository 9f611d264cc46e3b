import CNeuroViewsCurl
import FoundationEssentials
import Glibc

/// The system calls that Apple's systems have in another shape, and those with the name of a method.
enum SystemCall {
    /// open(2).
    static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 { Glibc.open(path, flags, mode) }

    /// write(2).
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Glibc.write(descriptor, bytes, count)
    }

    /// The meaning of an errno.
    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// The time of a file's last change, in nanoseconds since 1970.
    static func modifiedNs(_ status: stat) -> Int64 {
        Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    /// False for FAT, exFAT, SMB and FUSE: their files have other inodes after each mount.
    static func keepsInodes(_ descriptor: Int32) -> Bool {
        let numbering = [0x4D44, 0x2011_BAB0, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546]
        var found = statfs()
        return fstatfs(descriptor, &found) != 0 || !numbering.contains(Int(found.f_type))
    }

    /// Tells the system that the whole file will be read.
    static func willReadAll(_ descriptor: Int32) { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }

    /// The path of an open file; nil if it has none any more.
    static func path(of descriptor: Int32) -> String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return path.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    }

    /// Puts a file or a folder onto the disk. Returns 0, or -1 with an errno.
    static func synchronize(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
}
