import Glibc

/// A value that threads take turns at, with the shape of `Synchronization.Mutex`.
///
/// It locks by pthread_mutex(3), which ThreadSanitizer knows: of the library's mutex, a bare futex on Linux, it sees
/// nothing and reports whatever that guards as a race.
///
/// `@unchecked Sendable`: `value` is touched while `mutex` is locked, or in `deinit`, when there is no other reference. Both
/// are allocated once, because neither may move.
public final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Guards `value` from now on.
    public init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed: \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Waits for its turn and runs `body`, which must not lock the same value again. Throws what `body` throws.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
