import NeuroViewsJSON

extension JSONValue {
    /// No document of the server is nested deeper than 64. Functions on values recurse, and threads have small stacks.
    private static let policy = {
        var policy = JSONParser.Policy.rfc8259
        policy.maxDepth = 128
        return policy
    }()

    /// Reads a JSON text. Returns nil for any other text, and for one that is nested deeper than 128.
    public init?(text: String) {
        guard let json = try? JSONParser.parse(Array(text.utf8), policy: Self.policy) else { return nil }
        self.init(json)
    }

    /// The JSON text, without white space.
    public var text: String { String(decoding: JSON(self).serialized(), as: UTF8.self) }
}

extension JSONValue: CustomStringConvertible {
    /// The JSON text.
    public var description: String { text }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// `true` or `false`.
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }

    /// A number.
    public init(integerLiteral integer: Int64) { self = .number(Number(integer)) }

    /// A number; `null` if no double holds it.
    public init(floatLiteral double: Double) { self = Number(double).map { .number($0) } ?? .null }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A string.
    public init(stringLiteral string: String) { self = .string(string) }

    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object. Of members with the same name the last one counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        var object = Object()
        for (name, value) in members { object[name] = value }
        self = .object(object)
    }
}
