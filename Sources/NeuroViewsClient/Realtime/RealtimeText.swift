#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The messages that this client sends.
enum RealtimeText {
    /// The server takes no longer one.
    static let maxBytes = 16 << 10

    /// The states that a message may tell.
    enum Kind: String {
        case status = "device_status"
        case started = "streaming_started"
        case metrics = "streaming_metrics"
        case failed = "streaming_error"
        case stopped = "streaming_stopped"
    }

    /// In the spelling of the interface and in that of Swift's properties.
    private static let secrets: Set<String> = ["stream_key", "streamKey", "auth_token", "authToken"]

    /// The status of the device of that name.
    static func status(_ status: JSONValue.Object, accepts: [String], of device: String) -> [UInt8] {
        var status = status
        status["accepts"] = .array(accepts.map { .string($0) })
        return message(Kind.status.rawValue, ["device_id": .string(device), "status": .object(status)])
    }

    /// The message of a report. Secrets of destinations stay on the device.
    static func stream(_ report: StreamReport) -> (id: UUID, kind: Kind, message: [UInt8]) {
        switch report {
        case .started(let id, let destinations):
            let open = JSONValue.array(destinations.map { .object(withoutSecrets($0)) })
            return (id, .started, message(.started, of: id, "destinations", open))
        case .metrics(let id, let metrics):
            return (id, .metrics, message(.metrics, of: id, "metrics", .object(metrics)))
        case .failed(let id, let error): return (id, .failed, message(.failed, of: id, "error", error))
        case .stopped(let id): return (id, .stopped, message(.stopped, of: id, "", nil))
        }
    }

    private static func message(_ kind: Kind, of id: UUID, _ name: String, _ value: JSONValue?) -> [UInt8] {
        var data: JSONValue.Object = ["session_id": .string(id.uuidString.lowercased())]
        if let value { data[name] = value }
        return message(kind.rawValue, data)
    }

    /// The outcome of a command.
    static func result(_ answer: CommandAnswer, to id: UUID) -> [UInt8] {
        var data: JSONValue.Object = ["reply_to": .string(id.uuidString.lowercased())]
        switch answer {
        case .done(let result):
            data["status"] = "done"
            if let result { data["result"] = result }
        case .failed(let error):
            data["status"] = "failed"
            if let error { data["error"] = error }
        case .refused(let error):
            data["status"] = "refused"
            if let error { data["error"] = error }
        }
        return message("command_result", data)
    }

    private static func withoutSecrets(_ destination: JSONValue.Object) -> JSONValue.Object {
        var open = destination
        for name in secrets { open[name] = nil }
        return open
    }

    private static func message(_ type: String, _ data: JSONValue.Object) -> [UInt8] {
        Array(JSONValue.object(["type": .string(type), "data": .object(data)]).text.utf8)
    }
}
