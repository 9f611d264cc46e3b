import JSON

extension JSONWriter {
    /// Writes a member with a string value, or null.
    mutating func member(_ name: String, optional value: String?) {
        member(name)
        if let value { string(value) } else { null() }
    }
}
