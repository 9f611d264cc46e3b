import CLinux
import Glibc

/// An eventfd(2) that wakes a thread which waits for several descriptors in poll(2).
public final class WakeDescriptor: Sendable {
    /// Readable after `signal` until `clear`.
    public let descriptor: Int32

    /// Throws `SystemError` if no descriptor is available.
    public init() throws(SystemError) {
        descriptor = try SystemError.check(eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "eventfd")
    }

    deinit { close(descriptor) }

    /// Wakes the thread. Can be called on any thread.
    public func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Forgets the signals so far.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
