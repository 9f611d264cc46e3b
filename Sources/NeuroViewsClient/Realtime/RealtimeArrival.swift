import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A command as it came over the socket.
struct ArrivedCommand: Equatable, Sendable {
    let id: UUID
    let sender: String
    let command: JSONValue
    let parameters: JSONValue?
    let timeoutMs: Int64
}

/// A message of the server. Other types, and messages that are not as the interface has them, are nothing.
enum RealtimeArrival: Equatable, Sendable {
    /// The newest change of each collection.
    case heads(configurations: String, recordings: String)
    case status(device: String, JSONValue)
    case streamStarted(device: String, UUID, [JSONValue])
    case streamMetrics(device: String, UUID, JSONValue)
    case streamError(device: String, UUID, JSONValue)
    case streamStopped(device: String, UUID)
    case command(ArrivedCommand)
    /// The server has not taken a message of this device, such as the outcome of a command.
    case refused(Problem, replyTo: UUID?)

    /// The device whose state it tells, if it tells one.
    var device: String? {
        switch self {
        case .status(let device, _), .streamStarted(let device, _, _), .streamMetrics(let device, _, _),
            .streamError(let device, _, _), .streamStopped(let device, _):
            device
        case .heads, .command, .refused: nil
        }
    }

    init?(_ message: [UInt8]) {
        guard let json = JSONValue(text: String(decoding: message, as: UTF8.self)), let type = json["type"]?.string,
            let data = json["data"], let arrival = Self.read(type, data, json)
        else { return nil }
        self = arrival
    }

    private static func read(_ type: String, _ data: JSONValue, _ json: JSONValue) -> RealtimeArrival? {
        switch type {
        case "account_changed":
            guard let configurations = data["configurations"]?.string, let recordings = data["recordings"]?.string
            else { return nil }
            return .heads(configurations: configurations, recordings: recordings)
        case "device_status":
            guard let device = data["device_id"]?.string, let status = data["status"] else { return nil }
            return .status(device: device, status)
        case "remote_command": return command(data, json).map { .command($0) }
        case "error":
            guard let problem = data["problem"]?.object else { return nil }
            let status = problem["status"]?.int64 ?? 0
            let command = data["reply_to"]?.string.flatMap { UUID(uuidString: $0) }
            return .refused(Problem(NeuroViewsRules.Problem(status: status, problem.exact)), replyTo: command)
        default: return stream(type, data, json)
        }
    }

    private static func stream(_ type: String, _ data: JSONValue, _ json: JSONValue) -> RealtimeArrival? {
        guard let device = json["from"]?.string, let id = data["session_id"]?.string.flatMap({ UUID(uuidString: $0) })
        else { return nil }
        switch type {
        case "streaming_started": return data["destinations"]?.array.map { .streamStarted(device: device, id, $0) }
        case "streaming_metrics": return data["metrics"].map { .streamMetrics(device: device, id, $0) }
        case "streaming_error": return data["error"].map { .streamError(device: device, id, $0) }
        case "streaming_stopped": return .streamStopped(device: device, id)
        default: return nil
        }
    }

    private static func command(_ data: JSONValue, _ json: JSONValue) -> ArrivedCommand? {
        guard let id = json["id"]?.string.flatMap({ UUID(uuidString: $0) }), let sender = json["from"]?.string,
            let timeoutMs = json["timeout_ms"]?.int64, let command = data["command"]
        else { return nil }
        return ArrivedCommand(
            id: id,
            sender: sender,
            command: command,
            parameters: data["parameters"],
            timeoutMs: min(max(0, timeoutMs), 30_000)
        )
    }
}
