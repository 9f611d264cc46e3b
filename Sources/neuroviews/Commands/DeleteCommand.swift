import FoundationEssentials
import NeuroViewsClient

/// `delete`: configurations go, here at once and elsewhere by the sync.
enum DeleteCommand {
    static func delete(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        var ids: [UUID] = []
        var names: [String] = []
        for word in call.words {
            let id = try await call.configuration(word, of: device)
            let shown = try await asking { () async throws(ClientError) in try await device.configuration(id) }
            guard let shown else { throw Failure(ClientError.nothingShown(id)) }
            guard !ids.contains(id) else { continue }
            ids.append(id)
            names.append("\"\(Shown.text(shown.configuration.name))\"")
        }
        try call.confirm(
            "Delete \(names.joined(separator: ", "))?",
            otherwise: "delete asks first: write --yes where nobody can answer."
        )
        for id in ids { try await asking { () async throws(ClientError) in try await device.delete(id) } }
        call.output.result(
            ["deleted": .array(ids.map { .string($0.text) })],
            ids.map { $0.text + "\n" }.joined()
        )
        return try await call.finish(device, changed: ids)
    }
}
