import Glibc

/// Random bytes from the kernel, for keys that are kept in files.
package enum KernelRandom {
    /// Returns at most 256 bytes. getentropy is getrandom(2) for so many, all or nothing.
    package static func bytes(_ count: Int) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard getentropy(&bytes, count) == 0 else {
            throw CommandFailure("The kernel gives no random bytes: \(String(cString: strerror(errno))).")
        }
        return bytes
    }
}
