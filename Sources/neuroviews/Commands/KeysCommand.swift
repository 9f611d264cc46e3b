import Glibc
import NeuroViewsClient

/// `keys`: the keys for sealed recordings, of this profile.
enum KeysCommand {
    /// Said before a key is made, also with --yes.
    private static let warning = """
        Nobody but you will have the key. Without it your sealed recordings are lost, and the server can't help: write it down. \
        If another device has a key already, enter that one instead: neuroviews keys enter.
        """

    static func run(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        switch call.words.first {
        case nil: try await list(call, device)
        case "show": try await show(call, device)
        case "enter": try await enter(call, device)
        default: throw call.entry.misuse
        }
        return .done
    }

    private static func list(_ call: CommandCall, _ device: NeuroViews) async throws(Failure) {
        let keys = try await asking { () async throws(ClientError) in try await device.recordingKeys() }
        let json = keys.map { key -> JSONValue in ["key_id": .string(key.id), "seals": .bool(key == keys.first)] }
        call.output.result(
            ["keys": .array(json)],
            Table(["ID", "USE"], keys.map { [$0.id, $0 == keys.first ? "seals and opens" : "opens"] })
        )
    }

    private static func show(_ call: CommandCall, _ device: NeuroViews) async throws(Failure) {
        let known = try await asking { () async throws(ClientError) in try await device.recordingKeys() }
        if let key = known.first { return tell(call, key) }
        call.output.remark(warning)
        try call.confirm(
            "Make a key?",
            otherwise: "keys show makes a key, since this profile has none: write --yes where nobody can answer."
        )
        tell(call, try await asking { () async throws(ClientError) in try await device.makeRecordingKey() })
    }

    private static func tell(_ call: CommandCall, _ key: RecordingKey) {
        call.output.result(["key_id": .string(key.id), "key": .string(key.text)], key.text + "\n")
    }

    private static func enter(_ call: CommandCall, _ device: NeuroViews) async throws(Failure) {
        var input = try SecretInput(isFromInput: !Streams.isTerminal(STDIN_FILENO))
        let text = try input.next("Key:", "the key")
        let key = try await asking { () async throws(ClientError) in try await device.enterRecordingKey(text) }
        call.output.result(["key_id": .string(key.id)], key.id + "\n")
    }
}
