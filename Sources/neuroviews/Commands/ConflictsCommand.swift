import FoundationEssentials
import NeuroViewsClient

/// `conflicts`: documents that lost a conflict, as the server keeps them.
enum ConflictsCommand {
    static let columns = ["EDITED", "DEVICE", "BASE", "DOCUMENT"]

    static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let id = try await call.configuration(call.words[0], of: device)
        let conflicts = try await Pages.all { (before: String?) async throws(ClientError) in
            try await device.conflicts(of: id, before: before)
        }
        call.output.result(
            ["conflicts": .array(conflicts.map(\.json))],
            Table(
                columns,
                conflicts.map { conflict in
                    [
                        conflict.editedAt.text, conflict.device.map { $0.name ?? $0.id } ?? "",
                        conflict.baseVersion.text,
                        conflict.configuration.document.text,
                    ]
                }
            )
        )
        return .done
    }
}
