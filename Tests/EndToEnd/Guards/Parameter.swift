import NeuroViewsJSON
import TestSupport

/// A parameter of an operation, with the values that its schema accepts.
struct Parameter: Sendable {
    enum Place: String, Sendable {
        case path
        case query
        case header
    }

    enum Kind: Sendable {
        case uuid
        case time
        case date
        case integer(ClosedRange<Int>)
        /// A number from this one on.
        case atLeast(Int)
        /// Text with a number of characters in this range.
        case text(ClosedRange<Int>)
        /// One of a few words.
        case word
        /// A value from an earlier answer. A client can't invent one.
        case opaque
        /// Any text (`minLength: 0` in the document). A bad value is no error.
        case anything
    }

    let name: String
    let place: Place
    let kind: Kind
    let example: String
    let isRequired: Bool

    /// Reads a parameter of the document. Throws if it has no example, or a schema without known bad values.
    init(_ value: JSONValue) throws {
        name = value["name"]?.string ?? ""
        guard let place = value["in"]?.string.flatMap(Place.init(rawValue:)) else {
            throw Program.Failure("the parameter \(name) stands where the matrices know no bad values")
        }
        self.place = place
        guard let example = value["example"]?.string ?? value["example"]?.number?.literal else {
            throw Program.Failure("the parameter \(name) has no example")
        }
        self.example = example
        isRequired = value["required"]?.bool == true
        guard let kind = Kind(value["schema"] ?? .null) else {
            throw Program.Failure("the parameter \(name) has a schema for which the matrices know no bad values")
        }
        self.kind = kind
    }
}

extension Parameter.Kind {
    init?(_ schema: JSONValue) {
        func number(_ keyword: String) -> Int? { schema[keyword]?.number?.int64.map(Int.init) }
        switch (schema["type"]?.string, schema["format"]?.string) {
        case ("string", "uuid"): self = .uuid
        case ("string", "date-time"): self = .time
        case ("string", "date"): self = .date
        case ("string", nil), ("string", "device-id"):
            if schema["enum"] != nil {
                self = .word
            } else if let longest = number("maxLength") {
                self = .text((number("minLength") ?? 0)...longest)
            } else {
                self = number("minLength") == 0 ? .anything : .opaque
            }
        case ("integer", nil):
            guard let least = number("minimum") else { return nil }
            if let greatest = number("maximum") { self = .integer(least...greatest) } else { self = .atLeast(least) }
        default: return nil
        }
    }
}
