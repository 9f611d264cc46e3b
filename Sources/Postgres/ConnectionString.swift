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
            if ["host", "port"].contains(String(cString: name)), value.contains("@") { return false }
            option += 1
        }
        return true
    }
}
