extension Catalogue {
    static let realtime: [CommandEntry] = [
        CommandEntry(
            name: "presence",
            forms: ["presence"],
            summary: "list the account's other devices that are connected now",
            text: "A device is listed once it has told a status, as `watch` does.",
            columns: PresenceCommand.columns,
            run: PresenceCommand.list
        ),
        CommandEntry(
            name: "send",
            forms: ["send COMMAND [PARAMETERS] [--to ID] [--timeout SECONDS]"],
            summary: "send a command to another device, and print its outcome",
            text: """
                COMMAND is a name, such as capture_photo or set_zoom; PARAMETERS is JSON, such as '{"factor": 2}'. Without --to, the
                command goes to the device that accepts it. The outcome is done, failed, refused, delivered (to a device that can't
                answer), unreachable (nothing was sent) or timeout (it may have been done). The status is 1 unless it is done or
                delivered.
                """,
            columns: SendCommand.columns,
            options: [
                CommandOption(
                    flag: "--to",
                    value: "ID",
                    explanation: "the device: an id, its first characters (four or more), or its name"
                ),
                CommandOption(
                    flag: "--timeout",
                    value: "SECONDS",
                    explanation: "the command is not delivered later: 0.5 to 30; 10 by default"
                ),
            ],
            operands: [
                .words([
                    "start_video_recording", "stop_video_recording", "capture_photo", "switch_camera", "set_zoom",
                    "set_exposure_compensation", "load_configuration", "start_streaming", "stop_streaming",
                ]), .other,
            ],
            counts: 1...2,
            afterStop: "the command may have been done",
            run: SendCommand.send
        ),
    ]
}
