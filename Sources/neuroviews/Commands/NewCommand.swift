import CommandWords
import FoundationEssentials
import NeuroViewsClient

/// `new`: a configuration of a file, of --set, or of the editor.
enum NewCommand {
    private static let maxBytes = 4 << 20

    static func make(_ call: CommandCall) async throws(Failure) -> Ending {
        let changes = try call.assignments()
        var configuration = CameraConfiguration(name: "New configuration")
        if let path = call.words.first {
            configuration = try read(path)
        }
        configuration.apply(changes)
        let (given, device) = (configuration, try call.device())
        let edited = try call.words.isEmpty && changes.isEmpty ? inEditor(given, call) : nil
        let stored = try await EditorSession.store(edited?.file) { () async throws(Failure) -> StoredConfiguration in
            let saved = if let edited { try whole(edited.document) } else { given }
            try check(saved, call)
            try await refuseKnown(saved.id, device)
            return try await asking { () async throws(ClientError) in try await device.save(saved) }
        }
        call.output.result(
            ["id": .string(stored.id.text), "created_at": stored.createdAt.map { .string($0.text) } ?? .null],
            stored.id.text + "\n"
        )
        return try await call.finish(device, changed: [stored.id])
    }

    /// To write over a stored one would be no new configuration.
    private static func refuseKnown(_ id: UUID, _ device: NeuroViews) async throws(Failure) {
        guard try await asking({ () async throws(ClientError) in try await device.configuration(id) }) != nil else {
            return
        }
        throw Failure(
            "\(id.text) is the id of a configuration already: leave \"id\" out to make a copy, or change it with neuroviews edit.",
            .data
        )
    }

    private static func inEditor(
        _ given: CameraConfiguration,
        _ call: CommandCall
    ) throws(Failure) -> EditorSession.Edited {
        guard let edited = try EditorSession.edit(given.document, call) else {
            throw .usage("Nothing was changed in the editor, so no configuration was made.")
        }
        return edited
    }

    /// A document of a file, over the members of a new configuration.
    private static func read(_ path: String) throws(Failure) -> CameraConfiguration {
        guard let text = try FileText.read(path, maxBytes: maxBytes) else {
            throw Failure("There is no file \(path).", .noInput)
        }
        if let fault = SchemaCheck.fault(ofText: text) { throw Failure("\(path): \(fault)", .data) }
        guard let written = JSONValue(text: text), case .object(let members) = written else {
            throw Failure("\(path) has no JSON object.", .data)
        }
        guard case .object(var document) = CameraConfiguration(name: "New configuration").document else {
            return try whole(written)
        }
        for (name, value) in members.members { document[name] = value }
        return try whole(.object(document))
    }

    private static func whole(_ document: JSONValue) throws(Failure) -> CameraConfiguration {
        do {
            return try CameraConfiguration(document: document)
        } catch {
            throw Failure(ClientError.invalid(error))
        }
    }

    /// By the schema of the last login. The library adds the two times when it saves.
    private static func check(_ configuration: CameraConfiguration, _ call: CommandCall) throws(Failure) {
        if let invalid = configuration.invalid { throw Failure(ClientError.invalid(invalid)) }
        guard let schema = try call.profile.schema(), case .object(var document) = configuration.document else {
            return
        }
        for name in ["created_at", "modified_at"] where document[name] == nil {
            document[name] = "2026-01-01T00:00:00Z"
        }
        let complaints = SchemaCheck.complaints(document: JSONValue.object(document).text, schema: schema)
        guard complaints.isEmpty else { throw Failure(complaints.joined(separator: " "), .data) }
    }
}
