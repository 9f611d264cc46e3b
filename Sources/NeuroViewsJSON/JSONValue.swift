/// A JSON value (RFC 8259) without any loss: numbers keep their literal, objects keep the order of members.
///
/// Two values are equal when they have the same meaning: strings by UTF-8 bytes, numbers by exact value (`1.0 == 1`),
/// objects in any order of their members.
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool(Bool)
    /// A number with its literal as it was written.
    case number(JSONNumber)
    /// A string, unescaped.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

extension JSONValue {
    /// The string, when this is one.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The number, when this is one.
    public var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The truth value, when this is one.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The items, when this is an array.
    public var array: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The object, when this is one.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The number of values in this one, including itself.
    public var valueCount: Int {
        switch self {
        case .array(let items): items.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }

    /// The value of a direct member, when this is an object that has it.
    public subscript(name: String) -> JSONValue? {
        object?[name]
    }
}
