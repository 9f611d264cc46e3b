import CLinux
import Glibc

/// A detached thread that runs until its work or the process ends.
package enum BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// `name` has at most 15 bytes; `ps -L` shows it.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
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
