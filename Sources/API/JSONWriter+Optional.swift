import JSON

extension JSONWriter {
    /// Writes a member whose value is a string, or null.
    mutating func member(_ name: String, optional value: String?) {
        member(name)
        if let value { string(value) } else { null() }
    }
}
