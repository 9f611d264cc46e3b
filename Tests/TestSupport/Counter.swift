import Synchronization

/// A thread-safe counter.
package final class Counter: Sendable {
    private let count = Atomic(0)

    /// Starts at 0.
    package init() {}

    /// The current value.
    package var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Adds one and returns the new value.
    @discardableResult
    package func add() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
