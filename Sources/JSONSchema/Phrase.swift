import NeuroViewsJSON

/// The words of violations. Text from the value is cut, so that a response doesn't grow with the request.
enum Phrase {
    /// For a value of the client.
    private static let maxEchoedCharacters = 40
    /// For a value, or a list of values, in the schema.
    private static let maxListedCharacters = 500

    static func count(_ count: Int, _ noun: String, plural: String) -> String {
        "\(count) \(count == 1 ? noun : plural)"
    }

    static func characters(_ count: Int) -> String {
        Self.count(count, "character", plural: "characters")
    }

    static func items(_ count: Int) -> String {
        Self.count(count, "item", plural: "items")
    }

    static func members(_ count: Int) -> String {
        Self.count(count, "member", plural: "members")
    }

    static func literal(_ value: JSONValue) -> String {
        cut(String(decoding: value.serialized(), as: UTF8.self), maxListedCharacters)
    }

    static func list(_ values: [JSONValue]) -> String {
        let literals = values.map { String(decoding: $0.serialized(), as: UTF8.self) }
        return cut(literals.joined(separator: ", "), maxListedCharacters)
    }

    /// The members to choose from. Nil unless each schema only requires members.
    static func choices(_ nodes: [Node]) -> String? {
        var choices: [String] = []
        for node in nodes {
            guard case .keywords(let keywords) = node, keywords.count == 1, case .required(let names) = keywords[0]
            else { return nil }
            choices.append(names.joined(separator: ", "))
        }
        return cut(choices.joined(separator: "; "), maxListedCharacters)
    }

    static func echo(_ number: JSONNumber) -> String {
        cut(number.literal, maxEchoedCharacters)
    }

    /// A member name of the client.
    static func echo(name: String) -> String {
        cut(literal(.string(name)), maxEchoedCharacters)
    }

    static func kind(of value: JSONValue) -> String {
        TypeSet.type(of: value).phrase
    }

    /// Cuts by scalars: a character can have any number of them.
    private static func cut(_ text: String, _ maxScalars: Int) -> String {
        let kept = text.unicodeScalars.prefix(maxScalars)
        return kept.endIndex == text.endIndex ? text : String(kept) + "…"
    }
}
