/// A file of SQL.
struct SchemaFile: Sendable {
    /// `roles.sql`, `administrator.sql`, `0001_baseline.sql`, `functions/sessions.sql`.
    let name: String
    let sql: String

    /// The number that a file of tables begins with; nil for others.
    var number: Int? {
        let digits = name.prefix { $0 != "_" }
        return digits.utf8.count == 4 ? Int(digits) : nil
    }

    /// Whether it defines functions.
    var hasFunctions: Bool { name.hasPrefix("functions/") }

    /// Whether it is a file of roles, of tables or of functions.
    var isKnown: Bool { hasFunctions || number != nil || ["roles.sql", "administrator.sql"].contains(name) }
}
