import CLinux
import Glibc

/// A thread that runs to the end of its work, or of the process. Nobody waits for it.
enum BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// `name` has 15 bytes at most, as `ps -L` shows it.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(
            Work {
                _ = nv_set_thread_name(name)
                body()
            }
        )
        let status = pthread_create(&thread, nil, backgroundThreadMain, work.toOpaque())
        precondition(status == 0, "no thread can be started")
        pthread_detach(thread)
    }

    fileprivate static func run(_ work: UnsafeMutableRawPointer) {
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
    }
}

private func backgroundThreadMain(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { BackgroundThread.run(work) }
    return nil
}
