/// What a parser has found next.
public enum WireEvent: Sendable {
    /// Nothing more can be told from the bytes so far.
    case needsMore
    /// A request begins.
    case head(RequestHead)
    /// A piece of its content, never empty; how large depends on how the bytes arrived.
    case body([UInt8])
    /// The request is complete. What follows is the next one.
    case end
}
