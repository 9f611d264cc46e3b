extension Catalogue {
    static let recordings: [CommandEntry] = [
        CommandEntry(
            name: "upload",
            forms: ["upload FILE... [--configuration ID] [--sealed] [--offline]"],
            summary: "send recordings, and wait until the server has verified them",
            text: """
                A line is printed for each file that the server has verified: it may go. To stop before that costs nothing: the next
                sync goes on, and so does the same command. With --offline the ids are printed, and the next sync sends the files.
                """,
            columns: UploadFollowing.columns,
            options: [
                .offline,
                CommandOption(
                    flag: "--sealed",
                    explanation: "seal file, name and metadata with the key of `keys`: nobody else can read them"
                ),
                CommandOption(
                    flag: "--configuration",
                    value: "ID",
                    explanation: "the configuration that the recording was made with",
                    operand: .configuration
                ),
            ],
            operands: [.file],
            counts: 1...1000,
            afterStop: "what was sent stays on the server, and `neuroviews uploads resume` goes on",
            run: UploadCommand.upload
        ),
        CommandEntry(
            name: "uploads",
            forms: ["uploads", "uploads resume [ID]", "uploads pause ID", "uploads cancel ID"],
            summary: "list uploads, go on with them, pause or cancel one",
            text: """
                `resume` without an ID goes on with each upload that has not ended, and waits until it has. SENT is in bytes, as this
                device knew it last: the server may have a little less.
                """,
            columns: UploadsCommand.columns,
            operands: [.words(["resume", "pause", "cancel"]), .upload],
            counts: 0...2,
            afterStop: "what was sent stays on the server, and `neuroviews uploads resume` goes on",
            run: UploadsCommand.run
        ),
        CommandEntry(
            name: "recordings",
            forms: ["recordings", "recordings delete ID... [--yes]"],
            summary: "list the recordings on the server, newest first, or delete some",
            text: """
                ID is an id, its first characters (four or more), or the recording's file name. A sealed recording has its name if this
                profile has the key, else the key's id.
                """,
            columns: RecordingsCommand.columns,
            options: [.yes],
            operands: [.words(["delete"]), .other],
            counts: 0...1000,
            run: RecordingsCommand.run
        ),
        CommandEntry(
            name: "download",
            forms: ["download ID [FILE] [--raw]"],
            summary: "get a recording's file, and verify it",
            text: """
                ID is an id, its first characters (four or more), or the recording's file name. FILE is the recording's file name in
                this folder by default; a file that exists is not replaced. A download that was cut goes on where it stopped. A
                sealed recording is opened, which takes its size on the disk twice.
                """,
            columns: DownloadCommand.columns,
            options: [
                CommandOption(
                    flag: "--raw",
                    explanation: "leave a sealed recording sealed: no key is needed"
                )
            ],
            operands: [.other, .file],
            counts: 1...2,
            afterStop: "the same command goes on where it stopped",
            run: DownloadCommand.download
        ),
        CommandEntry(
            name: "keys",
            forms: ["keys", "keys show [--yes]", "keys enter"],
            summary: "list, show or enter the keys for sealed recordings",
            text: """
                `show` prints the key of this profile, and makes one if there is none, after a question. `enter` takes the key of another
                device, typed without echo or as a line of standard input; it seals from then on. A recording is lost with its key.
                """,
            options: [.yes],
            operands: [.words(["show", "enter"])],
            counts: 0...1,
            run: KeysCommand.run
        ),
    ]

    static let others: [CommandEntry] = [
        CommandEntry(
            name: "completion",
            forms: ["completion bash", "completion zsh", "completion fish"],
            summary: "print the completions for a shell",
            text: "For bash: source <(neuroviews completion bash). For fish: neuroviews completion fish | source.",
            operands: [.words(CompletionScript.allCases.map(\.rawValue))],
            counts: 1...1,
            takesGeneralOptions: false,
            run: HelpCommands.completion
        ),
        CommandEntry(
            name: "help",
            forms: ["help [COMMAND]"],
            summary: "explain a command",
            operands: [.command],
            counts: 0...1,
            takesGeneralOptions: false,
            run: HelpCommands.help
        ),
        CommandEntry(
            name: "version",
            forms: ["version"],
            summary: "print the version",
            takesGeneralOptions: false,
            run: HelpCommands.version
        ),
        CommandEntry(
            name: "complete",
            forms: ["complete -- WORD..."],
            summary: "print what may follow the words, for completions",
            counts: 0...1000,
            isHidden: true,
            run: HelpCommands.complete
        ),
        CommandEntry(
            name: "manual",
            forms: ["manual"],
            summary: "print the man page in roff",
            isHidden: true,
            takesGeneralOptions: false,
            run: HelpCommands.manual
        ),
    ]
}
