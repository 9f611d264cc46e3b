/// The table of commands, in the order of the help.
enum Catalogue {
    static let all: [CommandEntry] =
        account + configurations + synchronisation + recordings + realtime + others

    static var shown: [CommandEntry] { all.filter { !$0.isHidden } }

    static func entry(_ name: String) -> CommandEntry? { all.first { $0.name == name } }

    /// The flags that take no value. One flag has one meaning in all commands, so that they can be read before the command is known.
    static var flags: Set<String> { flags { _ in true } }
    static var switches: Set<String> { flags { $0.value == nil } }
    static var repeatable: Set<String> { flags(\.isRepeatable) }

    private static func flags(_ isWanted: (CommandOption) -> Bool) -> Set<String> {
        Set((CommandOption.general + all.flatMap(\.options)).filter(isWanted).map(\.flag))
    }
}

extension CommandOption {
    /// The options of all commands: the settings, and switches.
    static let general: [CommandOption] =
        CommandSettings.definitions.map { $0.option } + [
            CommandOption(
                flag: "--config",
                value: "FILE",
                explanation: "a file with settings: lines NAME = value",
                operand: .file
            ),
            CommandOption(
                flag: "--json",
                explanation: "print one JSON document, named as in the interface, and errors as JSON"
            ),
        ]

    static let offline = CommandOption(
        flag: "--offline",
        explanation: "do not use the network: changes are sent by the next sync"
    )
    static let yes = CommandOption(flag: "--yes", explanation: "do not ask")

    static let passwordFromInput = CommandOption(
        flag: "--password-stdin",
        explanation: "read the password from standard input's first line, and a code from its second one"
    )
    static let setting = CommandOption(
        flag: "--set",
        value: "POINTER=JSON",
        explanation: "set a member, such as /frame_rate=25 or /exposure_settings/iso=400",
        isRepeatable: true
    )
}
