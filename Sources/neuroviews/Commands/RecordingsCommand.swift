import NeuroViewsClient

/// `recordings`: those on the server.
enum RecordingsCommand {
    static let columns = ["ID", "RECORDED", "STATUS", "VERIFIED", "NAME"]
    private static let pageMax = 1000

    static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        let recordings = try await all(try call.device())
        let short = call.output.isForTerminal ? Naming.short(recordings.map(\.id.text)) : [:]
        call.output.result(
            ["recordings": .array(recordings.map(\.json))],
            Table(
                columns,
                recordings.map { recording in
                    [
                        short[recording.id.text] ?? recording.id.text, recording.createdAt.text,
                        recording.status.rawValue,
                        recording.receipt == nil ? "no" : "yes", recording.shownName,
                    ]
                }
            )
        )
        return .done
    }

    static func all(_ device: NeuroViews) async throws(Failure) -> [Recording] {
        var filter = RecordingFilter()
        filter.limit = pageMax
        let wanted = filter
        return try await Pages.all { (before: String?) async throws(ClientError) in
            try await device.recordings(wanted, before: before)
        }
    }
}

extension Recording {
    /// The file's name, unless it is hidden.
    fileprivate var shownName: String {
        guard let seal, !seal.isOpen else { return filename }
        return seal.keyID.map { "sealed, key \($0)" } ?? "sealed by a newer app"
    }
}
