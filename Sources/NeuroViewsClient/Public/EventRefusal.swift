/// An event that the server did not take. It is dropped: sent again, it would get the same answer.
public struct EventRefusal: Hashable, Sendable {
    /// The name of the event, at most its first 100 characters.
    public let name: String
    /// The member of the event that is wrong, as a JSON Pointer; nil if the whole batch was refused.
    public let pointer: String?
    /// What the server asks for.
    public let detail: String
}

extension EventRefusal: CustomStringConvertible {
    /// One line for a log.
    public var description: String { "Event \(name) refused: \(pointer.map { $0 + " " } ?? "")\(detail)" }
}
