import NeuroViewsClient

/// `sync`: both directions, once.
enum SyncCommand {
    static func sync(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let (report, status) = try await asking { () async throws(ClientError) in
            (try await device.sync(), try await device.status)
        }
        let counts = counts(report, status)
        var members: JSONValue.Object = [:]
        for (name, count) in counts { members[name] = .number(.init(Int64(count))) }
        if let again = report.again { members["again"] = .string(again.text) }
        if report.differsFromServer { members["differs_from_server"] = true }
        let text = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        call.output.result(.object(members), text.isEmpty ? "Everything was in sync.\n" : "Synced: \(text).\n")
        if let again = report.again {
            call.output.remark("Some edits are refused again and again: sync again at \(again.text).")
        }
        if report.differsFromServer { call.output.remark(SyncReport.difference) }
        let isOpen = report.again != nil || report.differsFromServer
        return report.lost + status.refused + status.held > 0 || isOpen ? .undone : .done
    }

    /// What is refused or held stays so until its user acts, whichever sync has found it.
    private static func counts(_ report: SyncReport, _ status: SyncStatus) -> [(name: String, count: Int)] {
        [
            ("sent", report.sent), ("pulled", report.pulled), ("lost", report.lost), ("refused", status.refused),
            ("held", status.held),
        ]
    }
}
