import CommandWords

/// The help, made of the table of commands.
enum HelpText {
    static let version = "neuroviews \(ServerVersion.current)\n"

    static var overview: String {
        let rows = Catalogue.shown.map { ($0.name, $0.summary) }
        return """
            neuroviews: camera configurations and recordings of an account, on this device.

            \(columns(rows))
            The server's page (its address and /console) changes the password, and exports and deletes the account.
            neuroviews help COMMAND explains a command. Options that most commands take:

            \(options(CommandOption.general))
            """
    }

    static func text(of entry: CommandEntry) -> String {
        var text = entry.forms.map { "neuroviews \($0)\n" }.joined() + "\n\(sentence(entry.summary))\n"
        if !entry.text.isEmpty { text += entry.text + "\n" }
        text += columns(of: entry)
        if !entry.options.isEmpty { text += "\n" + options(entry.options) }
        if entry.takesGeneralOptions { text += "\n" + options(CommandOption.general) }
        return text
    }

    /// The names of a table's columns: other programs get no headings.
    static func columns(of entry: CommandEntry) -> String {
        guard !entry.columns.isEmpty else { return "" }
        let names = entry.columns.joined(separator: ", ")
        return "Columns: \(names). Other programs get tabs between them, and no headings.\n"
    }

    /// The paragraph on settings, for the man page.
    static let aboutSettings = """
        Settings are flags, environment variables, or lines NAME = value of the file config in $XDG_CONFIG_HOME/neuroviews, where \
        a line that begins with # is a comment. A flag wins over the environment, the environment over the file.
        """

    static let statuses: [(status: String, meaning: String)] = [
        ("0", "done"),
        (
            "1",
            "done, but something is refused, held or lost, or one of several failed; or a question got no yes"
        ),
        ("64", "the command line is wrong"),
        ("65", "the server or the check refuses the data"),
        ("66", "there is no such file or item"),
        ("69", "the server is not reached, or not trusted"),
        ("70", "a fault of this program"),
        ("73, 74", "a file can't be written, or read"),
        ("75", "try again later"),
        ("76", "the answer is not the server's"),
        ("77", "log in, or enter a key"),
        ("78", "a setting is wrong"),
        ("130, 143", "stopped by SIGINT or SIGTERM"),
    ]

    /// The words of an option: `--set POINTER=JSON`.
    static func form(_ option: CommandOption) -> String { option.flag + (option.value.map { " \($0)" } ?? "") }

    static func explanation(_ option: CommandOption) -> String {
        guard let setting = option.setting else { return option.explanation }
        return "\(option.explanation) (\(setting.variable); default: \(setting.standard))"
    }

    static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    private static func options(_ options: [CommandOption]) -> String {
        columns(options.map { (form($0), explanation($0)) })
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count) + $0.1 + "\n" }.joined()
    }
}
