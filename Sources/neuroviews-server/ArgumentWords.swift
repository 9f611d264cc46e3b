/// The words behind a command: options, each with its value, and the rest.
struct ArgumentWords {
    struct Option: Equatable {
        /// As the user wrote it: `--admin-listen`.
        let flag: String
        let value: String

        /// As a setting is called: `admin_listen`.
        var name: String { String(flag.dropFirst(2).map { $0 == "-" ? "_" : $0 }) }
    }

    private(set) var options: [Option] = []
    private(set) var positional: [String] = []

    /// `--name value` and `--name=value`; behind `--` nothing is an option.
    init(_ arguments: ArraySlice<String>) throws(UsageError) {
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
            try add(try Self.option(word, &rest))
        }
    }

    func value(_ name: String) -> String? {
        options.first { $0.name == name }?.value
    }

    private static func option(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> Option {
        guard word.hasPrefix("--") else { throw .usage("\(word) is not an option: options start with two hyphens.") }
        if let equals = word.firstIndex(of: "=") {
            return Option(flag: String(word[..<equals]), value: String(word[word.index(after: equals)...]))
        }
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw .usage("\(word) needs a value: write \(word) VALUE or \(word)=VALUE.")
        }
        rest.removeFirst()
        return Option(flag: word, value: value)
    }

    private mutating func add(_ option: Option) throws(UsageError) {
        guard value(option.name) == nil else { throw .usage("\(option.flag) is given twice: keep one of the two.") }
        options.append(option)
    }
}
