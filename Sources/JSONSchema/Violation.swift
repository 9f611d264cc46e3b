/// One error of a value.
public struct Violation: Sendable, Hashable {
    /// A JSON Pointer (RFC 6901) to the wrong value; for a missing member, to its place. At most 1,000
    /// bytes, or else the nearest ancestor.
    public let pointer: String
    /// The violated keyword of the schema.
    public let keyword: String
    /// The requirement as the end of a sentence ("must be at most 240, is 241"), of bounded length.
    public let detail: String

    /// Makes a violation, also for a rule that no keyword expresses.
    public init(pointer: String, keyword: String, detail: String) {
        self.pointer = pointer
        self.keyword = keyword
        self.detail = detail
    }
}
