/// A setting: its names, explanation, allowed values, and parser.
///
/// The table `SettingDefinition.all` provides the help, the parsing of all three sources and the error messages.
package struct SettingDefinition: Sendable {
    /// Snake case, with the unit last: `body_max_bytes`.
    let name: String
    package let explanation: String
    /// Completes "must be …" in an error sentence.
    package let allowed: String
    /// The default as shown by the help.
    package let defaultText: String
    /// True if the value may contain a password. Error messages then omit it.
    let isSecret: Bool
    /// Stores the parsed text. Returns false, with unchanged settings, if the text is not allowed.
    let apply: @Sendable (String, inout Settings) -> Bool

    static let environmentPrefix = "NEUROVIEWS_"

    package var environmentName: String { Self.environmentPrefix + name.uppercased() }
    package var flag: String { "--" + String(name.map { $0 == "_" ? "-" : $0 }) }

    /// The error message for a value that is not allowed. `source` is the name that the user wrote.
    func refusal(of value: String, source: String) -> String {
        if value.isEmpty { return "\(source) is empty: it must be \(allowed), or be left out." }
        return "\(source) is \(isQuotable(value) ? "\"\(value)\"" : "not valid"): it must be \(allowed)."
    }

    /// The error message for a password on the command line; nil if the value has none.
    func refusalOfPassword(in value: String, flag: String) -> String? {
        guard hasPassword(value) else { return nil }
        return
            "\(flag) has a password, and everybody on this machine can read a command line: set \(environmentName) in the "
            + "environment or in a file (--settings FILE)\(isSecret ? ", or put the password into libpq's passfile" : "")."
    }

    /// Returns true if a value of this setting contains a password.
    func hasPassword(_ value: String) -> Bool {
        PasswordInValue.isIn(url: value) || (isSecret && PasswordInValue.isIn(connectionString: value))
    }

    private func isQuotable(_ value: String) -> Bool { !isSecret && !PasswordInValue.isIn(url: value) }
}
