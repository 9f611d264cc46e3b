import CPostgres

/// A connection string taken apart by libpq: for programs of PostgreSQL, whose arguments everybody can read.
public struct ConnectionOptions: Sendable {
    /// One option that the string sets.
    public struct Option: Sendable, Equatable {
        /// As it is called in a connection string.
        public let keyword: String
        /// The environment variable that sets it; nil where there is none.
        public let variable: String?
        /// Whether it is a password.
        public let isSecret: Bool
        /// Its value.
        public let value: String
    }

    /// What the string sets, in libpq's order.
    public let options: [Option]

    /// Nil when libpq doesn't understand the string; its reason may quote a password.
    public init?(_ connectionString: String) {
        // The array ends with an entry without a keyword, and is freed below.
        guard let parsed = PQconninfoParse(connectionString, nil) else { return nil }
        defer { PQconninfoFree(parsed) }
        var options: [Option] = []
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
            }
            entry += 1
        }
        self.options = options
    }

    /// A connection string of the options, quoted as libpq wants it.
    public static func connectionString(_ options: [Option]) -> String {
        options.map { option in
            let quoted = option.value.map { $0 == "\\" || $0 == "'" ? "\\\($0)" : String($0) }.joined()
            return "\(option.keyword)='\(quoted)'"
        }.joined(separator: " ")
    }
}
