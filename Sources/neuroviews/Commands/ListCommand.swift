import NeuroViewsClient

/// `list`: the configurations on this device.
enum ListCommand {
    static let columns = ["ID", "NAME", "PRESET", "RESOLUTION", "FPS", "STATE", "MODIFIED"]

    static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        if call.has("--deleted") { return try await DeletedList.list(call) }
        let device = try call.device()
        let (shown, edits) = try await asking { () async throws(ClientError) in
            (try await device.configurations(), try await device.editsOnTheirWay())
        }
        call.output.result(json(shown, edits), table(shown, call.output))
        return .done
    }

    /// Named as in the interface: documents, and the tags of those that came from the server. `unsynced` has the states of
    /// what is not the server's, also of deletions.
    private static func json(_ shown: [StoredConfiguration], _ edits: EditsOnTheirWay) -> JSONValue {
        var versions = JSONValue.Object()
        var unsynced = states(edits)
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

    private static func states(_ edits: EditsOnTheirWay) -> JSONValue.Object {
        var states = JSONValue.Object()
        for id in edits.unsent { states[id.text] = .string(ItemState.unsent.word) }
        for id in edits.held { states[id.text] = .string(ItemState.held.word) }
        for (id, problem) in edits.refused { states[id.text] = .string(ItemState.refused(problem).word) }
        return states
    }

    private static func table(_ shown: [StoredConfiguration], _ output: Output) -> Table {
        let short = output.isForTerminal ? Naming.short(shown.map(\.id.text)) : [:]
        return Table(
            columns,
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
