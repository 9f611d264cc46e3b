extension Catalogue {
    static let account: [CommandEntry] = [
        CommandEntry(
            name: "login",
            forms: ["login [EMAIL] [--server URL] [--password-stdin]"],
            summary: "log in: this profile becomes a device of the account",
            text: """
                The password, and the code of a second factor, are typed without echo, or read from standard input. The profile
                remembers the server and the address. A profile that must log in again keeps its edits. A device keeps the name that
                it has at the server, unless --device-name gives another one.
                """,
            options: [.passwordFromInput],
            operands: [.other],
            counts: 0...1,
            run: LogInCommand.logIn
        ),
        CommandEntry(
            name: "register",
            forms: ["register [EMAIL] [--server URL] [--invited] [--password-stdin]"],
            summary: "open an account, and log in",
            text: """
                The password is typed twice without echo, or read from standard input. If the server mails a link, follow it and log
                in then.
                """,
            options: [
                .passwordFromInput,
                CommandOption(
                    flag: "--invited",
                    explanation: "ask for the token of an invitation, or read it from standard input's second line"
                ),
            ],
            operands: [.other],
            counts: 0...1,
            run: RegisterCommand.register
        ),
        CommandEntry(
            name: "logout",
            forms: ["logout [--keep | --discard | --yes] [--offline]"],
            summary: "end the session of this profile",
            text: """
                Unsent edits are sent first. If edits or uploads could not be sent, or `lost` has entries, a terminal is asked, and
                other programs must choose an option.
                """,
            options: [
                .offline, .yes,
                CommandOption(
                    flag: "--keep",
                    explanation: "keep unsent and lost edits on disk, for the next login of this account"
                ),
                CommandOption(flag: "--discard", explanation: "drop unsent and lost edits"),
            ],
            run: LogOutCommand.logOut
        ),
        CommandEntry(
            name: "status",
            forms: ["status"],
            summary: "show the account, and what is not in sync",
            text: "The status is 1 if something is refused, held, lost or not uploaded.",
            run: StatusCommand.show
        ),
        CommandEntry(
            name: "devices",
            forms: ["devices", "devices remove ID [--yes] [--password-stdin]"],
            summary: "list the account's devices, or remove one and end its sessions",
            text: """
                ID is an id, its first characters (four or more), or the device's name. The server may want the password first. LAST SEEN
                is at most an hour old.
                """,
            columns: DevicesCommand.columns,
            options: [.yes, .passwordFromInput],
            operands: [.words(["remove"]), .other],
            counts: 0...2,
            run: DevicesCommand.run
        ),
        CommandEntry(
            name: "consent",
            forms: ["consent", "consent CATEGORY on --text VERSION", "consent CATEGORY off --text VERSION"],
            summary: "show what the account agreed to, or change it",
            columns: ConsentCommand.columns,
            options: [
                CommandOption(
                    flag: "--text",
                    value: "VERSION",
                    explanation: "the version of the text that was shown to the person"
                )
            ],
            operands: [.words(ConsentCommand.categories), .words(["on", "off"])],
            counts: 0...2,
            run: ConsentCommand.run
        ),
    ]
}
