import NeuroViewsClient

/// `send`: a command for another device.
enum SendCommand {
    static let columns = ["OUTCOME", "VALUE"]
    private static let timeouts: ClosedRange<Double> = 0.5...30
    /// All else was not done, as far as anybody knows.
    private static let successes: Set<CommandOutcome.Status> = [.done, .delivered]

    static func send(_ call: CommandCall) async throws(Failure) -> Ending {
        let command = try command(call)
        let device = try call.device()
        let target = try await target(call, device)
        let outcome = try await asking { () async throws(ClientError) in try await device.send(command, to: target) }
        var members: JSONValue.Object = [
            "id": .string(command.id.text), "status": .string(outcome.status.rawValue),
        ]
        if let result = outcome.result { members["result"] = result }
        if let error = outcome.error { members["error"] = error }
        let value = (outcome.result ?? outcome.error)?.text ?? ""
        call.output.result(
            .object(members),
            Table(columns, [[outcome.status.rawValue, value]]).text(isForTerminal: false)
        )
        return successes.contains(outcome.status) ? .done : .undone
    }

    private static func command(_ call: CommandCall) throws(Failure) -> RemoteCommand {
        var parameters: JSONValue?
        if call.words.count > 1 {
            guard let value = JSONValue(text: call.words[1]) else {
                throw .usage("The parameters are \"\(call.words[1])\": write JSON, such as '{\"factor\": 2}'.")
            }
            parameters = value
        }
        var command = RemoteCommand(call.words[0], parameters)
        if let text = call.value("--timeout") {
            guard let seconds = Double(text), timeouts.contains(seconds) else {
                throw .usage("--timeout is \"\(text)\": it must be 0.5 to 30 seconds.")
            }
            command.timeout = .milliseconds(Int64(seconds * 1000))
        }
        return command
    }

    /// The device of --to: an id, its first characters, or a name. Sessions without a device are only among those that are
    /// connected.
    private static func target(_ call: CommandCall, _ device: NeuroViews) async throws(Failure) -> String? {
        guard let word = call.value("--to") else { return nil }
        let (known, connected) = try await asking { () async throws(ClientError) in
            (try await device.devices(), try await device.presence().devices)
        }
        let names = Dictionary(known.map { ($0.id, $0.name ?? "") }) { $1 }
        let ids = Set(known.map(\.id)).union(connected.map(\.id))
        return try Naming.find(
            word,
            among: ids.sorted().map { ($0, $0, names[$0] ?? "") },
            kind: "device",
            list: "devices"
        )
    }
}
