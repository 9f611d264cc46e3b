extension Catalogue {
    private static let aboutIDs = """
        ID is an id, its first characters (four or more), or the configuration's name.
        """

    static let configurations: [CommandEntry] = [
        CommandEntry(
            name: "list",
            forms: ["list [--deleted]"],
            summary: "list the configurations on this device",
            text: "It reads the device's store. `neuroviews sync` brings what is new.",
            columns: ListCommand.columns,
            options: [
                CommandOption(
                    flag: "--deleted",
                    explanation: "list the newest deletions at the server, for `restore ID TAG`: "
                        + DeletedList.columns.joined(separator: ", ")
                )
            ],
            run: ListCommand.list
        ),
        CommandEntry(
            name: "show",
            forms: ["show ID [--version TAG]"],
            summary: "print a configuration as JSON",
            text: aboutIDs,
            options: [CommandOption(flag: "--version", value: "TAG", explanation: "an older version, from `history`")],
            operands: [.configuration],
            counts: 1...1,
            run: ShowCommand.show
        ),
        CommandEntry(
            name: "new",
            forms: ["new [FILE] [--set POINTER=JSON]... [--offline]"],
            summary: "make a configuration from a JSON file, from --set, or in the editor",
            text: """
                FILE may be - for standard input. Members that are missing get the defaults of a new configuration: `neuroviews new`
                alone shows all of them in the editor. Example: neuroviews new --set '/name="Harbour"' --set /frame_rate=60
                """,
            options: [.setting, .offline],
            operands: [.file],
            counts: 0...1,
            run: NewCommand.make
        ),
        CommandEntry(
            name: "edit",
            forms: ["edit ID [--set POINTER=JSON]... [--remove POINTER]... [--offline]"],
            summary: "change members of a configuration, or edit its JSON",
            text: """
                Without --set and --remove it opens $VISUAL, $EDITOR or vi. Only members that differ are sent, so changes of other
                members on other devices stay. An empty file changes nothing.
                """ + "\n" + aboutIDs,
            options: [
                .setting, .offline,
                CommandOption(flag: "--remove", value: "POINTER", explanation: "remove a member", isRepeatable: true),
            ],
            operands: [.configuration],
            counts: 1...1,
            run: EditCommand.edit
        ),
        CommandEntry(
            name: "delete",
            forms: ["delete ID... [--yes] [--offline]"],
            summary: "delete configurations; asks on a terminal",
            text: aboutIDs,
            options: [.yes, .offline],
            operands: [.configuration],
            counts: 1...1000,
            run: DeleteCommand.delete
        ),
        CommandEntry(
            name: "history",
            forms: ["history ID"],
            summary: "list the versions of a configuration, newest first",
            text: aboutIDs + " A deleted configuration needs its whole id, from `list --deleted`.",
            columns: HistoryCommand.columns,
            operands: [.configuration],
            counts: 1...1,
            run: HistoryCommand.list
        ),
        CommandEntry(
            name: "restore",
            forms: ["restore ID TAG [--offline]"],
            summary: "make an older version the newest one",
            text: aboutIDs
                + " A deleted configuration needs its whole id, from `list --deleted`. TAG is a version's tag from `history`.",
            options: [
                CommandOption(
                    flag: "--offline",
                    explanation: "fetch the version, and leave the change to the next sync"
                )
            ],
            operands: [.configuration, .other],
            counts: 2...2,
            run: RestoreCommand.restore
        ),
        CommandEntry(
            name: "conflicts",
            forms: ["conflicts ID"],
            summary: "list the documents that lost a conflict on the server",
            text: aboutIDs,
            columns: ConflictsCommand.columns,
            operands: [.configuration],
            counts: 1...1,
            run: ConflictsCommand.list
        ),
    ]
}
