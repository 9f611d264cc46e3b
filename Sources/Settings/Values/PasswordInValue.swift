import Postgres

/// Finds passwords in the values of settings. Every user of a machine can read all its command lines.
enum PasswordInValue {
    /// Returns true for a connection string in which libpq finds a password.
    static func isIn(connectionString text: String) -> Bool {
        ConnectionOptions(text)?.options.contains { $0.isSecret && !$0.value.isEmpty } ?? false
    }

    /// Returns true for a URL that names a user with a password (RFC 3986, 3.2.1), and for a list that has one.
    static func isIn(url text: String) -> Bool {
        text.split(separator: ",").contains { url in
            guard let start = url.firstRange(of: "://")?.upperBound else { return false }
            let authority = url[start...].prefix { !"/?#".contains($0) }
            return authority.lastIndex(of: "@").map { authority[..<$0].contains(":") } ?? false
        }
    }
}
