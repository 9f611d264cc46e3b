import FoundationEssentials
import NeuroViewsClient

/// `restore`: an older version becomes the newest one.
enum RestoreCommand {
    static func restore(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let id = try await call.configuration(call.words[0], of: device)
        let tag = try call.tag(call.words[1])
        let stored = try await asking { () async throws(ClientError) in try await device.restore(id, to: tag) }
        call.output.result(
            ["configuration": stored.configuration.document, "version": stored.tag.map { .string($0.text) } ?? .null],
            PrettyJSON.text(stored.configuration.document)
        )
        return try await call.finish(device, changed: [id])
    }
}
