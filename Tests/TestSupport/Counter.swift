import Synchronization

/// A number that tasks and threads count up together.
public final class Counter: Sendable {
    private let count = Atomic(0)

    /// Begins at 0.
    public init() {}

    /// Where it stands.
    public var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Adds one and returns the new value.
    @discardableResult
    public func add() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
