import JSON
import TestSupport

/// A parameter of an operation, with what its schema lets through.
struct Parameter: Sendable {
    /// Where it stands in a request.
    enum Place: String, Sendable {
        case path
        case query
        case header
    }

    /// What its values are.
    enum Kind: Sendable {
        case uuid
        case time
        case date
        case integer(ClosedRange<Int>)
        /// Text of so many characters.
        case text(ClosedRange<Int>)
        /// One of a few words.
        case word
        /// What an earlier answer gave: nobody else can make one up.
        case opaque
        /// Any text, which the document says by `minLength: 0`: what is no good is no error.
        case anything
    }

    let name: String
    let place: Place
    let kind: Kind
    let example: String
    let isRequired: Bool

    /// Reads it from the document. Throws when it has no example, or a schema that no bad values are known for.
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
            guard let least = number("minimum"), let greatest = number("maximum") else { return nil }
            self = .integer(least...greatest)
        default: return nil
        }
    }
}
