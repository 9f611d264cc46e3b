/// A file of SQL.
struct SchemaFile: Sendable {
    /// `roles.sql`, `administrator.sql`, `0001_tables.sql`, `functions/sessions.sql`.
    let name: String
    let sql: String

    /// The number in the name of a file of tables; nil for others.
    var number: Int? {
        let digits = name.prefix { $0 != "_" }
        return digits.utf8.count == 4 ? Int(digits) : nil
    }

    /// The number of the newest file that a server must know to work with these tables: from a first line `-- Servers that know 0003 work with
    /// this.`, else the file's own.
    var compatibleFrom: Int? {
        let opening = "-- Servers that know "
        guard let line = sql.split(separator: "\n").first, line.hasPrefix(opening) else { return number }
        return Int(line.dropFirst(opening.count).prefix { $0 != " " }) ?? number
    }

    /// True for a file of functions.
    var hasFunctions: Bool { name.hasPrefix("functions/") }

    /// True for a file of roles, tables or functions; false for an editor's copy (`a.sql.orig`).
    var isKnown: Bool {
        name.hasSuffix(".sql") && (hasFunctions || number != nil || ["roles.sql", "administrator.sql"].contains(name))
    }
}
