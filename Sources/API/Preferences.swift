import HTTP

/// Optional wishes of a client: the field Prefer (RFC 7240). Names are case-insensitive, and the first of several equal
/// names counts. Unreadable parts are ignored, never an error.
struct Preferences: Sendable {
    /// The values by name, in lower case; empty for a preference without a value.
    private var values: [String: String] = [:]

    /// Reads all lines of the field.
    init(_ headers: Headers) { self.init(lines: headers.values("prefer")) }

    /// Reads the values of the field's lines.
    init(lines: [String]) {
        for line in lines {
            for element in Self.split(line[...], at: ",") { add(element) }
        }
    }

    /// Returns true if the preference is present, without a value.
    func contains(_ name: String) -> Bool { values[name] == "" }

    /// Accepts `name`, `name=value` or `name="value"`. Parameters after a semicolon are ignored.
    private mutating func add(_ element: Substring) {
        guard let preference = Self.split(element, at: ";").first else { return }
        let parts = Self.split(preference, at: "=").map(Self.trimmed)
        guard let name = parts.first?.lowercased(), name.utf8.allSatisfy(Self.isToken), !name.isEmpty, parts.count <= 2
        else { return }
        if parts.count == 2 && parts[1].isEmpty { return }
        var value = parts.count == 2 ? parts[1] : ""
        if value.hasPrefix("\"") {
            guard value.count >= 2, value.hasSuffix("\"") else { return }
            value = value.dropFirst().dropLast()
        }
        if values[name] == nil { values[name] = String(value) }
    }

    /// Splits at the separators outside of quotes.
    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return text.split(omittingEmptySubsequences: false) { character in
            defer { isEscaped = isQuoted && character == "\\" && !isEscaped }
            if character == "\"" && !isEscaped { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let space: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let end = text.lastIndex { !space($0) }.map { text.index(after: $0) } ?? text.startIndex
        return text[..<end].drop(while: space)
    }

    /// The characters of a token (RFC 9110, 5.6.2), letters in lower case.
    private static func isToken(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
