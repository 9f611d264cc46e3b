import FoundationEssentials
import NeuroViewsClient

/// `show`: a configuration as JSON.
enum ShowCommand {
    static func show(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let id = try await call.configuration(call.words[0], of: device)
        if let text = call.value("--version") {
            return try await show(call, device, version: try call.tag(text), of: id)
        }
        let stored = try await asking { () async throws(ClientError) in try await device.configuration(id) }
        guard let stored else { throw Failure(ClientError.nothingShown(id)) }
        call.output.result(
            [
                "configuration": stored.configuration.document, "version": stored.tag.map { .string($0.text) } ?? .null,
                "state": .string(stored.state.word),
            ],
            PrettyJSON.text(stored.configuration.document)
        )
        return .done
    }

    private static func show(
        _ call: CommandCall,
        _ device: NeuroViews,
        version tag: VersionTag,
        of id: UUID
    ) async throws(Failure) -> Ending {
        let document = try await asking { () async throws(ClientError) in try await device.version(of: id, tag) }
            .document
        call.output.result(["configuration": document, "version": .string(tag.text)], PrettyJSON.text(document))
        return .done
    }
}

extension CommandCall {
    func tag(_ text: String) throws(Failure) -> VersionTag {
        guard let tag = VersionTag(text) else {
            throw .usage("\"\(text)\" is not a version's tag: neuroviews history ID lists them.")
        }
        return tag
    }
}
