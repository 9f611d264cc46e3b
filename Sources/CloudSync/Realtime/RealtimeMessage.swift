import NeuroViewsJSON

/// A message that a device sent, checked.
package struct RealtimeMessage: Sendable {
    /// The content by the type.
    package enum Content: Sendable {
        /// A state for all other sockets of the account.
        case event(RealtimeEvent)
        /// A command for another device.
        case command(RemoteCommand)
        /// The outcome of a command.
        case result(CommandResult)
    }

    package let content: Content

    /// `value` is valid by the schema; `data` is the text of its member.
    init(_ value: JSONValue, data: [UInt8]) throws(RealtimeViolation) {
        let content = value["data"] ?? .null
        let stream = content["session_id"]?.string?.lowercased() ?? ""
        switch value["type"]?.string ?? "" {
        case "streaming_metrics": self.content = .event(RealtimeEvent(.streamingMetrics(sessionID: stream), data: data))
        case "remote_command":
            self.content = .command(try RemoteCommand(value, content, data: data, at: "/data"))
        case "command_result": self.content = .result(CommandResult(content, data: data))
        case "device_status": self.content = .event(Self.status(content, data))
        case "streaming_error": self.content = .event(RealtimeEvent(.streamingError(sessionID: stream), data: data))
        case "streaming_stopped": self.content = .event(RealtimeEvent(.streamingStopped(sessionID: stream), data: data))
        default:
            let kind = RealtimeEvent.Kind.streamingStarted(sessionID: stream)
            self.content = .event(RealtimeEvent(kind, data: DestinationSecrets.removed(from: content) ?? data))
        }
    }

    /// The type.
    package var label: MessageLabel {
        switch content {
        case .event(let event): event.kind.label
        case .command: .remoteCommand
        case .result: .commandResult
        }
    }

    private static func status(_ content: JSONValue, _ data: [UInt8]) -> RealtimeEvent {
        let accepts = DeviceStates.commands(in: content["status"]?["accepts"])
        return RealtimeEvent(.deviceStatus(deviceID: content["device_id"]?.string ?? "", accepts: accepts), data: data)
    }
}

/// The secrets of streaming destinations. They are never stored or passed on.
enum DestinationSecrets {
    /// In the spelling of the interface and in that of Swift's properties.
    private static let names: Set = ["stream_key", "streamKey", "auth_token", "authToken"]

    /// The text of a `streaming_started` without the secrets in `destinations`, at any depth; nil if there is none.
    static func removed(from data: JSONValue) -> [UInt8]? {
        guard var object = data.object, let destinations = object["destinations"], has(destinations) else { return nil }
        object.set("destinations", to: without(destinations))
        return JSONValue.object(object).serialized()
    }

    private static func has(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let items): items.contains(where: has)
        case .object(let object): object.members.contains { names.contains($0.name) || has($0.value) }
        default: false
        }
    }

    private static func without(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): .array(items.map(without))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { !names.contains($0.name) }
                        .map { JSONObject.Member(name: $0.name, value: without($0.value)) }
                )
            )
        default: value
        }
    }
}
