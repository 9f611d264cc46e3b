import CommandWords

/// The man page, neuroviews(1), made of the table of commands.
enum Manual {
    static var text: String { [head, commands, settings, tail].joined() }

    private static let head = """
        .TH NEUROVIEWS 1 "" "neuroviews \(ServerVersion.current)" "NeuroViews Cloud"
        .nh
        .ad l
        .SH NAME
        neuroviews \\- camera configurations and recordings of an account, on this device
        .SH SYNOPSIS
        .B neuroviews
        .I command
        .RI [ word \\ ...]
        .RI [ option \\ ...]
        .SH DESCRIPTION
        A profile of this command is a device of an account at a NeuroViews Cloud server. Its configurations are on the disk: they
        can be listed and changed without a network, and are sent by the next sync. Results go to standard output, as a table on a
        terminal and with tabs elsewhere; everything else goes to standard error. Passwords are typed, or read from standard input.
        .SH COMMANDS

        """

    private static var commands: String {
        Catalogue.shown.map { entry in
            var text = ".SS \(roff(entry.name))\n.nf\n"
            for form in entry.forms { text += roff("neuroviews \(form)") + "\n" }
            text += ".fi\n.PP\n" + roff(HelpText.sentence(entry.summary)) + "\n"
            if !entry.text.isEmpty { text += roff(entry.text) + "\n" }
            text += roff(HelpText.columns(of: entry))
            return text + entry.options.map(option).joined()
        }.joined()
    }

    private static var settings: String {
        let options = CommandOption.general.map(option).joined()
        return ".SH OPTIONS AND SETTINGS\n\(roff(HelpText.aboutSettings))\n" + options
    }

    private static var tail: String {
        let statuses = HelpText.statuses.map { ".TP\n\(roff($0.status))\n\(roff($0.meaning))\n" }.joined()
        return """
            .SH FILES
            .TP
            .I ~/.config/neuroviews/config
            settings
            .TP
            .I ~/.local/share/neuroviews
            a folder for each profile, which only its owner can read: configurations, uploads, secrets
            .SH EXIT STATUS
            \(statuses).SH SEE ALSO
            .BR neuroviews\\-server (1)

            """
    }

    private static func option(_ option: CommandOption) -> String {
        ".TP\n.B \(roff(HelpText.form(option)))\n\(roff(HelpText.explanation(option)))\n"
    }

    /// Escapes text, so that no line of it is a request.
    private static func roff(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            default: String(character)
            }
        }.joined()
        return escaped.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : String(line)
        }.joined(separator: "\n")
    }
}
