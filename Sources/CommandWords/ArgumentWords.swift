/// The words after a command: options, most of them with a value, and positional words.
package struct ArgumentWords: Sendable {
    package struct Option: Equatable, Sendable {
        /// The option as the user wrote it: `--admin-listen`.
        package let flag: String
        package let value: String

        /// The setting's name: `admin_listen`.
        package var name: String { String(flag.dropFirst(2).map { $0 == "-" ? "_" : $0 }) }
    }

    package private(set) var options: [Option] = []
    package private(set) var positional: [String] = []
    /// The options of the command that take no value, as the user wrote them.
    private let switches: Set<String>
    /// The options that may be repeated.
    private let repeatable: Set<String>

    /// Parses `--name value`, `--name=value`, and `--name` alone for `switches`. No word after `--` is an option.
    package init(
        _ arguments: ArraySlice<String>,
        switches: Set<String> = [],
        repeatable: Set<String> = []
    ) throws(UsageError) {
        self.switches = switches
        self.repeatable = repeatable
        var rest = arguments
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                positional.append(word)
                continue
            }
            try add(try option(word, &rest))
        }
    }

    package func value(_ name: String) -> String? {
        options.first { $0.name == name }?.value
    }

    /// Removes an option of the command itself; the remaining options are settings. Returns nil if it was not given.
    package mutating func take(_ name: String) -> String? {
        guard let index = options.firstIndex(where: { $0.name == name }) else { return nil }
        return options.remove(at: index).value
    }

    private func option(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> Option {
        guard word.hasPrefix("--") else { throw .usage("\(word) is not an option: options start with two hyphens.") }
        if let equals = word.firstIndex(of: "=") {
            let flag = String(word[..<equals])
            guard !switches.contains(flag) else { throw .usage("\(flag) takes no value: write \(flag) alone.") }
            return Option(flag: flag, value: String(word[word.index(after: equals)...]))
        }
        if switches.contains(word) { return Option(flag: word, value: "") }
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw .usage("\(word) needs a value: write \(word) VALUE or \(word)=VALUE.")
        }
        rest.removeFirst()
        return Option(flag: word, value: value)
    }

    private mutating func add(_ option: Option) throws(UsageError) {
        guard repeatable.contains(option.flag) || value(option.name) == nil else {
            throw .usage("\(option.flag) is given twice: keep one of the two.")
        }
        options.append(option)
    }
}
