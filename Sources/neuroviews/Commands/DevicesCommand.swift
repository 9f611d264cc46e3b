import NeuroViewsClient

/// `devices`: the account's devices.
enum DevicesCommand {
    static let columns = ["ID", "NAME", "LAST SEEN", "NOTE"]

    static func run(_ call: CommandCall) async throws(Failure) -> Ending {
        switch (call.words.first, call.words.count) {
        case (nil, _): return try await list(call)
        case ("remove", 2): return try await remove(call, call.words[1])
        default: throw call.entry.misuse
        }
    }

    private static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let devices = try await asking { () async throws(ClientError) in try await device.devices() }
        call.output.result(
            ["devices": .array(devices.map(\.json))],
            Table(
                columns,
                devices.map { [$0.id, $0.name ?? "", $0.lastSeenAt.text, $0.isCurrent ? "this device" : ""] }
            )
        )
        return .done
    }

    private static func remove(_ call: CommandCall, _ word: String) async throws(Failure) -> Ending {
        let device = try call.device()
        let devices = try await asking { () async throws(ClientError) in try await device.devices() }
        let id = try Naming.find(
            word,
            among: devices.map { ($0.id, $0.id, $0.name ?? "") },
            kind: "device",
            list: "devices"
        )
        try call.confirm(
            "Remove \(Shown.text(devices.first { $0.id == id }?.name ?? id)), and end its sessions?",
            otherwise: "devices remove asks first: write --yes where nobody can answer."
        )
        try await call.confirmed(device) { () async throws(ClientError) in try await device.removeDevice(id) }
        call.output.result(["id": .string(id)], "Removed \(Shown.text(id)).\n")
        return .done
    }
}
