/// A value that lives on one loop and is reached there only.
///
/// `@unchecked Sendable`: each access checks that it happens on the loop's thread.
public final class LoopBound<Value>: @unchecked Sendable {
    /// The loop that the value lives on.
    public let loop: EventLoop
    private let stored: Value

    /// Ties a new value, which nobody else holds, to a loop.
    public init(_ value: sending Value, to loop: EventLoop) {
        self.loop = loop
        stored = value
    }

    /// The value; a trap on any other thread.
    public var value: Value {
        precondition(loop.isCurrent, "the value belongs to another loop")
        return stored
    }
}
