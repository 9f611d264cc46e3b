import NeuroViewsClient

/// `list`: the configurations on this device.
enum ListCommand {
    static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let shown = try await asking { () async throws(ClientError) in try await device.configurations() }
        call.output.result(json(shown), table(shown, call.output))
        return .done
    }

    /// Named as in the interface: documents, and the tags of those that came from the server. `unsynced` has the others' states.
    private static func json(_ shown: [StoredConfiguration]) -> JSONValue {
        var versions = JSONValue.Object()
        var unsynced = JSONValue.Object()
        for item in shown {
            if let tag = item.tag { versions[item.id.text] = .string(tag.text) }
            if case .synced = item.state { continue }
            unsynced[item.id.text] = .string(item.state.word)
        }
        return [
            "configurations": .array(shown.map(\.configuration.document)), "versions": .object(versions),
            "unsynced": .object(unsynced),
        ]
    }

    private static func table(_ shown: [StoredConfiguration], _ output: Output) -> Table {
        let short = output.isForTerminal ? Naming.short(shown.map(\.id.text)) : [:]
        return Table(
            ["ID", "NAME", "PRESET", "RESOLUTION", "FPS", "STATE", "MODIFIED"],
            shown.map { item in
                let configuration = item.configuration
                return [
                    short[item.id.text] ?? item.id.text, configuration.name, configuration.preset.rawValue,
                    configuration.resolution.rawValue, "\(configuration.frameRate)", item.state.word,
                    item.modifiedAt?.text ?? "",
                ]
            }
        )
    }
}
