/// A value of a setting with the name that the user wrote.
package struct SettingEntry: Equatable, Sendable {
    package let name: String
    package let value: String
    package let source: String

    package init(name: String, value: String, source: String) {
        self.name = name
        self.value = value
        self.source = source
    }
}

/// Parses a settings file: lines of `NEUROVIEWS_LISTEN=…` or `LISTEN = …`, and comments on lines of
/// their own that start with `#`.
package enum SettingsFile {
    /// `prefix` is that of the settings' environment variables. It may be left out in the file.
    package static func parse(_ text: String, path: String, prefix: String) throws(UsageError) -> [SettingEntry] {
        var entries: [SettingEntry] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, raw) in lines.enumerated() {
            let line = trimmed(raw)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let entry = try parseLine(line, prefix, place: "\(path), line \(index + 1)")
            guard !entries.contains(where: { $0.name == entry.name }) else {
                throw .configuration("\(entry.source) is set twice: keep one of the two lines.")
            }
            entries.append(entry)
        }
        return entries
    }

    private static func parseLine(_ line: Substring, _ prefix: String, place: String) throws(UsageError) -> SettingEntry
    {
        guard let equals = line.firstIndex(of: "=") else {
            throw .configuration("\(place): write NAME = value, or start the line with # for a comment.")
        }
        var name = trimmed(line[..<equals]).uppercased()
        if name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        let value = try value(line[line.index(after: equals)...], place: place)
        return SettingEntry(name: name.lowercased(), value: value, source: "\(prefix)\(name) (\(place))")
    }

    /// A comment behind a value would become a part of it, such as of the data folder's name.
    private static func value(_ text: Substring, place: String) throws(UsageError) -> String {
        let value = trimmed(text)
        let quoted = unquoted(value)
        // Behind a quote inside the value it has ended.
        guard !hasComment(quoted.map { $0.drop { $0 != value.first } } ?? text) else {
            throw .configuration("\(place): put the comment on a line of its own, or the value into quotes.")
        }
        return quoted ?? String(value)
    }

    private static func hasComment(_ text: Substring) -> Bool {
        zip(text, text.dropFirst()).contains { $0.isWhitespace && $1 == "#" }
    }

    /// Removes white space at both ends and the byte order mark that some editors write first.
    private static func trimmed(_ text: Substring) -> Substring {
        let isOuter = { (character: Character) in character.isWhitespace || character == "\u{FEFF}" }
        let start = text.drop(while: isOuter)
        guard let last = start.lastIndex(where: { !isOuter($0) }) else { return "" }
        return start[...last]
    }

    /// Returns nil for a value without quotes.
    private static func unquoted(_ value: Substring) -> String? {
        guard value.count >= 2, let quote = value.first, quote == "\"" || quote == "'", value.last == quote else {
            return nil
        }
        return String(value.dropFirst().dropLast())
    }
}
