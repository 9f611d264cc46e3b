import NeuroViewsJSON

/// Inside this module, the value as it is read and stored. `JSONValue` is the app's.
typealias JSON = NeuroViewsJSON.JSONValue

/// A JSON value (RFC 8259) without any loss: numbers keep their digits, objects the order of their members.
///
/// Two values are equal if they mean the same: strings by their bytes, numbers by their exact value (`1.0` is `1`), objects
/// in any order of their members. Literals make values: `["preset": "night", "frame_rate": 30]`.
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool(Bool)
    /// A number.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(Object)
}

extension JSONValue {
    /// The truth value, if this is one.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The number, if this is one.
    public var number: Number? { if case .number(let number) = self { number } else { nil } }

    /// The number, if this is an integer that `Int64` holds.
    public var int64: Int64? { number?.int64 }

    /// The nearest double, if this is a number.
    public var double: Double? { number?.double }

    /// The string, if this is one.
    public var string: String? { if case .string(let string) = self { string } else { nil } }

    /// The elements, if this is an array.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The object, if this is one.
    public var object: Object? { if case .object(let object) = self { object } else { nil } }

    /// The value of a member, if this is an object that has it.
    public subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: Hashable {
    /// Compares by meaning.
    public static func == (left: JSONValue, right: JSONValue) -> Bool { JSON(left) == JSON(right) }

    /// Equal values have equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(JSON(self)) }
}

extension JSONValue {
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .number(Number(number))
        case .string(let string): self = .string(string)
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let object): self = .object(Object(object))
        }
    }
}

extension JSON {
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .number(number.exact)
        case .string(let string): self = .string(string)
        case .array(let elements): self = .array(elements.map { JSON($0) })
        case .object(let object): self = .object(object.exact)
        }
    }
}
