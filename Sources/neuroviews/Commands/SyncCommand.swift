import NeuroViewsClient

/// `sync`: both directions, once.
enum SyncCommand {
    static func sync(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let report = try await asking { () async throws(ClientError) in try await device.sync() }
        var members: JSONValue.Object = [:]
        for (name, count) in counts(report) { members[name] = .number(.init(Int64(count))) }
        if let again = report.again { members["again"] = .string(again.text) }
        let text = counts(report).filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        call.output.result(.object(members), text.isEmpty ? "Everything was in sync.\n" : "Synced: \(text).\n")
        if let again = report.again {
            call.output.remark("Some edits are refused again and again: sync again at \(again.text).")
        }
        return report.lost + report.refused + report.held > 0 || report.again != nil ? .undone : .done
    }

    private static func counts(_ report: SyncReport) -> [(name: String, count: Int)] {
        [
            ("sent", report.sent), ("pulled", report.pulled), ("lost", report.lost), ("refused", report.refused),
            ("held", report.held),
        ]
    }
}
