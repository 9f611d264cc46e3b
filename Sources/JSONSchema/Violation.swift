/// One thing that is wrong with a value.
public struct Violation: Sendable, Hashable {
    /// A JSON Pointer (RFC 6901) to what is wrong; for a missing member, to where it belongs. At most 1,000 bytes: the
    /// nearest ancestor when it would be longer.
    public let pointer: String
    /// The keyword of the schema that isn't met.
    public let keyword: String
    /// What is asked for, as the end of a sentence ("must be at most 240, is 241"), of a bounded length.
    public let detail: String

    /// A violation of a rule that no keyword expresses, reported like the others.
    public init(pointer: String, keyword: String, detail: String) {
        self.pointer = pointer
        self.keyword = keyword
        self.detail = detail
    }
}
