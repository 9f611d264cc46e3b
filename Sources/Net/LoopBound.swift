/// A value that is used on one loop only.
///
/// `@unchecked Sendable`: each access checks for the loop's thread.
public final class LoopBound<Value>: @unchecked Sendable {
    /// The value's loop.
    public let loop: EventLoop
    private let stored: Value

    /// Binds a new value to a loop. Nothing else may refer to the value.
    public init(_ value: sending Value, to loop: EventLoop) {
        self.loop = loop
        stored = value
    }

    /// The value. Traps on any other thread.
    public var value: Value {
        precondition(loop.isCurrent, "the value belongs to another loop")
        return stored
    }
}
