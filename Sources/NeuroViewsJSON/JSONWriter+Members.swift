extension JSONWriter {
    /// Writes a member with a string value.
    public mutating func member(_ name: String, string value: String) {
        member(name)
        string(value)
    }

    /// Writes a member with an integer value.
    public mutating func member(_ name: String, integer value: Int64) {
        member(name)
        integer(value)
    }

    /// Writes a member with the value `true` or `false`.
    public mutating func member(_ name: String, bool value: Bool) {
        member(name)
        bool(value)
    }

    /// Writes a member with a value that is already JSON, byte for byte.
    public mutating func member(_ name: String, raw value: [UInt8]) {
        member(name)
        raw(value)
    }

    /// Writes a member with a string value, or null.
    public mutating func member(_ name: String, optional value: String?) {
        member(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a member with an integer value, or null.
    public mutating func member(_ name: String, optional value: Int?) {
        member(name)
        if let value { integer(Int64(value)) } else { null() }
    }

    /// Writes a member with an array of objects. `members` writes the members of one.
    public mutating func list<Items: Sequence>(
        _ name: String,
        _ items: Items,
        _ members: (Items.Element, inout JSONWriter) -> Void
    ) {
        member(name)
        beginArray()
        for item in items {
            beginObject()
            members(item, &self)
            endObject()
        }
        endArray()
    }

    /// Writes a tree of values.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let items):
            beginArray()
            for item in items { self.value(item) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                self.member(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }
}

extension JSONValue {
    /// The value as compact JSON: members in their order, numbers by their literals.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}
