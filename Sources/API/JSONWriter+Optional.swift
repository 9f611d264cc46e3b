import NeuroViewsJSON

extension JSONWriter {
    /// Writes a member with a string value, or null.
    mutating func member(_ name: String, optional value: String?) {
        member(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a member that is null for nil.
    mutating func member(_ name: String, optional value: Int?) {
        guard let value else {
            member(name)
            return null()
        }
        member(name, integer: Int64(value))
    }
}
