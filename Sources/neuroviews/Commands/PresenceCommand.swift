import NeuroViewsClient

/// `presence`: the account's other devices that are connected now.
enum PresenceCommand {
    static let columns = ["ID", "NAME", "STATE", "STREAMS", "ACCEPTS"]

    static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let (presence, known) = try await asking { () async throws(ClientError) in
            (try await device.presence(), try await device.devices())
        }
        let names = Dictionary(known.map { ($0.id, $0.name ?? "") }) { $1 }
        let streams = Dictionary(grouping: presence.streams, by: \.device)
        call.output.result(
            json(presence),
            Table(
                columns,
                presence.devices.map { online in
                    [
                        online.id, names[online.id] ?? "", online.state ?? "", "\(streams[online.id]?.count ?? 0)",
                        (online.accepts ?? []).joined(separator: ","),
                    ]
                }
            )
        )
        return .done
    }

    private static func json(_ presence: Presence) -> JSONValue {
        [
            "devices": .array(presence.devices.map { ["device_id": .string($0.id), "status": $0.status] }),
            "streams": .array(presence.streams.map(json)),
        ]
    }

    private static func json(_ stream: OnlineStream) -> JSONValue {
        var members: JSONValue.Object = [
            "device_id": .string(stream.device), "session_id": .string(stream.id.text),
            "destinations": .array(stream.destinations),
        ]
        if let metrics = stream.metrics { members["metrics"] = metrics }
        if let error = stream.error { members["error"] = error }
        return .object(members)
    }
}
