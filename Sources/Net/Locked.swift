import Synchronization

/// A `Mutex` that ThreadSanitizer understands.
///
/// On Linux the library's mutex waits inside the runtime, which the sanitizer does not see. It would report two
/// accesses in turn as a race. The two atomic operations show it the order; they cost a plain load and a plain store.
public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let handover = Atomic(false)

    /// Makes a lock for `value`.
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Waits for the lock and runs `body`, which must not lock the same value again. Throws errors of `body`.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(false, ordering: .releasing) }
            return try body(&value)
        }
    }
}
