#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

/// A value behind a lock. ThreadSanitizer sees a lock of pthread; it does not see `Mutex`, which waits in Swift's runtime.
///
/// `@unchecked Sendable`: the value is used only while the lock is held.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// `body` must not lock the same value again.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
