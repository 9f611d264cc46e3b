import CommandWords
import FoundationEssentials
import NeuroViewsClient

/// `edit`: changes of members, by --set and --remove or in the editor.
enum EditCommand {
    static func edit(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let id = try await call.configuration(call.words[0], of: device)
        let shown = try await asking { () async throws(ClientError) in try await device.configuration(id) }
        guard let shown else { throw Failure(ClientError.nothingShown(id)) }
        var (changes, draft) = (try call.assignments(), DraftFile?.none)
        if changes.isEmpty {
            let original = shown.configuration.document
            guard let edited = try EditorSession.edit(original, call) else {
                call.output.remark("Nothing was changed.")
                return .done
            }
            (changes, draft) = (Assignment.between(original, edited.document), edited.file)
        } else {
            try check(shown.configuration, changes, call)
        }
        let noted = changes
        let stored = try await EditorSession.store(draft) { () async throws(Failure) -> StoredConfiguration in
            try await asking { () async throws(ClientError) in try await device.edit(id) { $0.apply(noted) } }
        }
        call.output.result(
            [
                "id": .string(id.text), "updated_at": stored.modifiedAt.map { .string($0.text) } ?? .null,
                "pointers": .array(changes.map { .string($0.pointer) }),
            ],
            changes.map { $0.pointer + "\n" }.joined()
        )
        return try await call.finish(device, changed: [id])
    }

    private static func check(
        _ configuration: CameraConfiguration,
        _ changes: [Assignment],
        _ call: CommandCall
    ) throws(Failure) {
        var edited = configuration
        edited.apply(changes)
        if let invalid = edited.invalid { throw Failure(ClientError.invalid(invalid)) }
        try Assignment.requireMembers(changes, of: configuration)
        let complaints = Draft.complaints(
            edited.document,
            of: configuration.document,
            schema: try call.profile.schema()
        )
        guard complaints.isEmpty else { throw Failure(complaints.joined(separator: " "), .data) }
    }
}
