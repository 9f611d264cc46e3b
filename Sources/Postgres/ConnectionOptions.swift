import CPostgres

/// The options of a connection string, parsed by libpq. PostgreSQL's programs get them without secrets in their arguments, which every user can read.
public struct ConnectionOptions: Sendable {
    /// One option that the string sets.
    public struct Option: Sendable, Equatable {
        /// Its name in a connection string.
        public let keyword: String
        /// The environment variable that sets it, if any.
        public let variable: String?
        /// Whether it is a password.
        public let isSecret: Bool
        /// Its value.
        public let value: String
    }

    /// The options in the string, in libpq's order.
    public let options: [Option]
    /// The variables of the other options, by keyword.
    private let variables: [String: String]

    /// Nil for a malformed string. libpq's reason is dropped, since it may quote a password.
    public init?(_ connectionString: String) {
        // The array ends with an entry without a keyword, and is freed below.
        guard let parsed = PQconninfoParse(connectionString, nil) else { return nil }
        defer { PQconninfoFree(parsed) }
        var options: [Option] = []
        var variables: [String: String] = [:]
        var entry = parsed
        while let keyword = entry.pointee.keyword {
            if let value = entry.pointee.val {
                options.append(
                    Option(
                        keyword: String(cString: keyword),
                        variable: entry.pointee.envvar.map { String(cString: $0) },
                        isSecret: entry.pointee.dispchar.map { String(cString: $0) } == "*",
                        value: String(cString: value)
                    )
                )
            } else if let variable = entry.pointee.envvar {
                variables[String(cString: keyword)] = String(cString: variable)
            }
            entry += 1
        }
        self.options = options
        self.variables = variables
    }

    /// True if a service of libpq completes the string. Only libpq reads its file.
    func namesService(_ variable: (String) -> String? = LibpqEnvironment.value) -> Bool {
        value("service") ?? variable("PGSERVICE") != nil
    }

    /// The string's value, else that of the environment. Nil if a service may set another one.
    func completed(_ keyword: String, _ variable: (String) -> String? = LibpqEnvironment.value) -> String? {
        if let value = value(keyword) { return value }
        return namesService(variable) ? nil : variables[keyword].flatMap(variable)
    }

    private func value(_ keyword: String) -> String? { options.first { $0.keyword == keyword }?.value }

    /// A connection string of the options, quoted by libpq's rules.
    public static func connectionString(_ options: [Option]) -> String {
        options.map { option in
            let quoted = option.value.map { $0 == "\\" || $0 == "'" ? "\\\($0)" : String($0) }.joined()
            return "\(option.keyword)='\(quoted)'"
        }.joined(separator: " ")
    }
}
