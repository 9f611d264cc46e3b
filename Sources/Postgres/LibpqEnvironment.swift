import FoundationEssentials
import Glibc

/// libpq's variables in the environment, such as PGHOST and PGOPTIONS. They complete a configured connection string.
public enum LibpqEnvironment {
    /// All variables that begin with PG: versions of libpq read different ones.
    public static var variables: [String: String] {
        ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("PG") }
    }

    /// Removes them before the private PostgreSQL is used. They are for another database, and would change the address,
    /// the login and the settings of every connection.
    public static func forget() {
        for name in variables.keys { unsetenv(name) }
    }

    /// The value of one variable.
    static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The setting with the address, for messages, with the variables that are part of it. Their values may be passwords.
    static var urlSetting: String {
        let names = variables.keys.sorted()
        let others = names.isEmpty ? "" : " (completed by \(names.joined(separator: ", ")) of the environment)"
        return "NEUROVIEWS_DATABASE_URL" + others
    }
}
