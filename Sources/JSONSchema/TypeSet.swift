import NeuroViewsJSON

/// The types that a value may have.
struct TypeSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = TypeSet(rawValue: 1)
    static let boolean = TypeSet(rawValue: 2)
    static let integer = TypeSet(rawValue: 4)
    static let number = TypeSet(rawValue: 8)
    static let string = TypeSet(rawValue: 16)
    static let array = TypeSet(rawValue: 32)
    static let object = TypeSet(rawValue: 64)

    private static let named: [(name: String, type: TypeSet, phrase: String)] = [
        ("null", .null, "null"), ("boolean", .boolean, "true or false"), ("integer", .integer, "an integer"),
        ("number", .number, "a number"), ("string", .string, "a string"), ("array", .array, "an array"),
        ("object", .object, "an object"),
    ]

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init?(name: String) {
        guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
        self = found.type
    }

    /// "a string or null"
    var phrase: String {
        Self.named.filter { contains($0.type) }.map(\.phrase).joined(separator: " or ")
    }

    func allows(_ value: JSONValue) -> Bool {
        let own = Self.type(of: value)
        if contains(own) { return true }
        guard contains(.integer), case .number(let number) = value else { return false }
        return number.isInteger
    }

    /// The type of a value. An integer has the type `number` here.
    static func type(of value: JSONValue) -> TypeSet {
        switch value {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}
