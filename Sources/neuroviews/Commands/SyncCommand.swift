import NeuroViewsClient

/// `sync`: both directions, once, and the uploads that wait.
enum SyncCommand {
    static func sync(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let report = try await asking { () async throws(ClientError) in try await device.sync() }
        let uploads = try await sendUploads(device, call.output)
        let status = try await asking { () async throws(ClientError) in try await device.status }
        let counts = counts(report, status, uploads)
        var members: JSONValue.Object = [:]
        for (name, count) in counts { members[name] = .number(.init(Int64(count))) }
        if let again = report.again { members["again"] = .string(again.text) }
        if report.differsFromServer { members["differs_from_server"] = true }
        let text = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name.replacing("_", with: " "))" }
            .joined(separator: ", ")
        call.output.result(.object(members), text.isEmpty ? "Everything was in sync.\n" : "Synced: \(text).\n")
        if report.lost > 0 { call.output.remark("neuroviews lost shows what did not survive.") }
        if let again = report.again {
            call.output.remark("Some edits are refused again and again: sync again at \(again.text).")
        }
        if report.differsFromServer { call.output.remark(SyncReport.difference) }
        let isOpen = report.again != nil || report.differsFromServer || uploads.failed > 0
        return report.lost + status.refused + status.held > 0 || isOpen ? .undone : .done
    }

    /// What is refused or held stays so until its user acts, whichever sync has found it.
    private static func counts(
        _ report: SyncReport,
        _ status: SyncStatus,
        _ uploads: UploadFollowing.Counts
    ) -> [(name: String, count: Int)] {
        [
            ("sent", report.sent), ("pulled", report.pulled), ("lost", report.lost), ("refused", status.refused),
            ("held", status.held), ("uploaded", uploads.done), ("verifying", uploads.verifying),
            ("not_uploaded", uploads.failed),
        ]
    }

    /// Sends the uploads that wait. Those that are paused, or have failed, stay as they are; failed ones are counted.
    private static func sendUploads(_ device: NeuroViews, _ output: Output) async throws(Failure)
        -> UploadFollowing.Counts
    {
        let all = try await asking { () async throws(ClientError) in try await device.uploads() }
        let failed = all.filter(\.hasFailed).count
        let open = all.filter { !$0.state.isOver && $0.state != .paused }
        let unsent = open.filter { $0.state != .verifying }.count
        if unsent > 0 { output.remark("Uploads to send: \(unsent). After Ctrl-C the next sync goes on.") }
        var counts = try await UploadFollowing.follow(open, device, output, for: .sync)
        if counts.verifying > 0 {
            output.remark(
                "The server still reads \(counts.verifying) of the files back. Keep them: the next sync looks for the receipts."
            )
        }
        counts.failed += failed
        if counts.failed > 0 { output.remark("neuroviews uploads lists what is not uploaded.") }
        return counts
    }
}
