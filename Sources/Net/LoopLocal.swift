/// One object for each loop, so that what every request touches needs no lock.
///
/// `@unchecked Sendable`: each object is touched on its own loop's thread only.
public final class LoopLocal<Value: AnyObject>: @unchecked Sendable {
    @usableFromInline let loops: [EventLoop]
    @usableFromInline let values: [Value]

    /// Makes an object for each of the loops, which are counted from 0.
    public init(_ loops: [EventLoop], _ make: () -> Value) {
        self.loops = loops
        values = loops.map { _ in make() }
    }

    /// The object of the loop whose thread the caller is on; nil on other threads.
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
