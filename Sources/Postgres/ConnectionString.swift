import CPostgres

/// libpq's connection strings.
public enum ConnectionString {
    /// Whether libpq can read it, as a URI or as conninfo, and would not take part of a password for a host: what it says about
    /// such a string would show the password.
    public static func isReadable(_ text: String) -> Bool {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &complaint) else {
            PQfreemem(complaint)
            return false
        }
        defer { PQconninfoFree(options) }
        var option = options
        // The list ends with an entry that has no name.
        while let name = option.pointee.keyword {
            let value = option.pointee.val.map { String(cString: $0) } ?? ""
            guard isPlausible(String(cString: name), value) else { return false }
            option += 1
        }
        return true
    }

    /// A password with an `@` or a `/` that is not written as `%40` or `%2F` ends up in these.
    private static func isPlausible(_ name: String, _ value: String) -> Bool {
        switch name {
        case "port": value.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ",") }
        case "host", "hostaddr", "dbname": !value.contains("@") || value.hasPrefix("@")
        default: true
        }
    }
}
