import Synchronization

/// A `Mutex` that ThreadSanitizer understands.
///
/// On Linux the library's mutex waits inside the runtime, where the sanitizer does not look: whoever had to wait would be
/// reported as racing with whoever was there before. The two atomic operations say once more, where it looks, who comes
/// after whom; they cost a plain load and a plain store.
public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let handover = Atomic(false)

    /// Guards `value` from now on.
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Waits for its turn and runs `body`, which must not lock the same value again. Throws what `body` throws.
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
