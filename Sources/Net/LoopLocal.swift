/// One object per loop, so data used by every request needs no lock.
///
/// `@unchecked Sendable`: each object is used only on its own loop's thread.
public final class LoopLocal<Value: AnyObject>: @unchecked Sendable {
    @usableFromInline let loops: [EventLoop]
    @usableFromInline let values: [Value]

    /// Makes an object for each loop. Loop indexes start at 0.
    public init(_ loops: [EventLoop], _ make: () -> Value) {
        self.loops = loops
        values = loops.map { _ in make() }
    }

    /// The object of the current thread's loop; nil on other threads.
    @inlinable public var current: Value? {
        guard let loop = EventLoop.current, loop.index < values.count, loops[loop.index] === loop else { return nil }
        return values[loop.index]
    }

    /// Reads every object, each on its loop.
    public func gather<Result: Sendable>(_ read: @escaping @Sendable (Value) -> Result) async -> [Result] {
        var results: [Result] = []
        for loop in loops { results.append(await loop.run { [self] in read(values[loop.index]) }) }
        return results
    }
}
