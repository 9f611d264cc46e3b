extension Catalogue {
    static let recordings: [CommandEntry] = [
        CommandEntry(
            name: "upload",
            forms: ["upload FILE... [--configuration ID] [--offline]"],
            summary: "send recordings, and wait until the server has verified them",
            text: """
                A line is printed for each file that the server has verified: it may go. To stop before that costs nothing: the next
                sync goes on. With --offline the ids are printed, and the next sync sends the files.
                """,
            columns: UploadFollowing.columns,
            options: [
                .offline,
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
            forms: ["recordings"],
            summary: "list the recordings on the server, newest first",
            columns: RecordingsCommand.columns,
            run: RecordingsCommand.list
        ),
        CommandEntry(
            name: "download",
            forms: ["download ID [FILE]"],
            summary: "get a recording's file, and verify it",
            text: """
                ID is an id, its first characters (four or more), or the recording's file name. FILE is the recording's file name in
                this folder by default; a file that exists is not replaced. A download that was cut goes on where it stopped.
                """,
            columns: DownloadCommand.columns,
            operands: [.other, .file],
            counts: 1...2,
            afterStop: "the same command goes on where it stopped",
            run: DownloadCommand.download
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
