import Synchronization

/// A thread-safe counter.
public final class Counter: Sendable {
    private let count = Atomic(0)

    /// Starts at 0.
    public init() {}

    /// The current value.
    public var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Adds one and returns the new value.
    @discardableResult
    public func add() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
