/// One setting: its names, what it means, what is allowed, and how its text becomes a value.
///
/// The table `SettingDefinition.all` drives the help, the parsing of all three sources and the error sentences.
struct SettingDefinition: Sendable {
    /// Snake case, with the unit last: `body_max_bytes`.
    let name: String
    let explanation: String
    /// Completes "must be …" in an error sentence.
    let allowed: String
    /// The default as the help shows it.
    let defaultText: String
    /// True when the value may hold a password: error sentences leave it out.
    let isSecret: Bool
    /// Stores the parsed text; false when it isn't allowed, with the settings unchanged.
    let apply: @Sendable (String, inout Settings) -> Bool

    static let environmentPrefix = "NEUROVIEWS_"

    var environmentName: String { Self.environmentPrefix + name.uppercased() }
    var flag: String { "--" + String(name.map { $0 == "_" ? "-" : $0 }) }

    /// The sentence for a value that isn't allowed; `source` is the name the user wrote.
    func refusal(of value: String, source: String) -> String {
        if value.isEmpty { return "\(source) is empty: it must be \(allowed), or be left out." }
        return "\(source) is \(isQuotable(value) ? "\"\(value)\"" : "not valid"): it must be \(allowed)."
    }

    /// The sentence for a value on a command line that has a password; nil for any other.
    func refusalOfPassword(in value: String, flag: String) -> String? {
        guard hasPassword(value) else { return nil }
        return
            "\(flag) has a password, and everybody on this machine can read a command line: set \(environmentName) in the "
            + "environment or in a file (--settings FILE)\(isSecret ? ", or put the password into libpq's passfile" : "")."
    }

    /// Whether a value of this setting has a password in it.
    func hasPassword(_ value: String) -> Bool {
        PasswordInValue.isIn(url: value) || (isSecret && PasswordInValue.isIn(connectionString: value))
    }

    private func isQuotable(_ value: String) -> Bool { !isSecret && !PasswordInValue.isIn(url: value) }
}
