/// The next result of a parser.
public enum WireEvent: Sendable {
    /// The bytes so far contain no further event.
    case needsMore
    /// A request begins.
    case head(RequestHead)
    /// A piece of its content, never empty; its size depends on how the bytes arrived.
    case body([UInt8])
    /// The request is complete. The next one follows.
    case end
}
