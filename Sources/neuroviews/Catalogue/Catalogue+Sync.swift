extension Catalogue {
    static let synchronisation: [CommandEntry] = [
        CommandEntry(
            name: "sync",
            forms: ["sync"],
            summary: "send what changed here, and get what changed elsewhere",
            text: """
                It also sends uploads that wait, and looks some seconds for their receipts: an upload that is still `verifying` then
                goes on with the next sync. The status is 1 if something is refused or held, if this sync lost an edit, or if an
                upload has failed.
                """,
            afterStop: "nothing is lost, and `neuroviews sync` goes on",
            run: SyncCommand.sync
        ),
        CommandEntry(
            name: "watch",
            forms: ["watch [--every SECONDS]"],
            summary: "sync until Ctrl-C, and print a line for each change",
            text: """
                The server tells of changes at once, where it can. The questions go on, in case one is not told. Meanwhile
                `presence` of other devices lists this one as `online`. A log out ends it, also one by another process.
                """,
            options: [
                CommandOption(
                    flag: "--every",
                    value: "SECONDS",
                    explanation: "the time between two questions, 1 to 86400; 60 by default"
                )
            ],
            run: WatchCommand.watch
        ),
        CommandEntry(
            name: "lost",
            forms: ["lost", "lost bring-back N [--offline]", "lost forget N"],
            summary: "list edits that lost a conflict, make them again, or forget them",
            columns: LostCommand.columns,
            options: [.offline],
            operands: [.words(["bring-back", "forget"]), .lostEdit],
            counts: 0...2,
            run: LostCommand.run
        ),
        CommandEntry(
            name: "usage",
            forms: ["usage [--from DAY] [--to DAY] [--tz ZONE]"],
            summary: "show how the account used its cameras",
            text: "DAY is 2026-11-28. The last 30 days in UTC are shown by default.",
            columns: UsageCommand.columns,
            options: [
                CommandOption(flag: "--from", value: "DAY", explanation: "the first day"),
                CommandOption(flag: "--to", value: "DAY", explanation: "the last day"),
                CommandOption(
                    flag: "--tz",
                    value: "ZONE",
                    explanation: "the time zone of the days, such as Europe/Berlin"
                ),
            ],
            run: UsageCommand.show
        ),
    ]
}
