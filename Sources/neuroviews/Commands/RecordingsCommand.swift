import FoundationEssentials
import NeuroViewsClient

/// `recordings`: those on the server.
enum RecordingsCommand {
    static let columns = ["ID", "RECORDED", "STATUS", "VERIFIED", "NAME"]
    private static let pageMax = 1000

    static func run(_ call: CommandCall) async throws(Failure) -> Ending {
        switch (call.words.first, call.words.count) {
        case (nil, _): return try await list(call)
        case ("delete", 2...): return try await delete(call, call.words.dropFirst())
        default: throw call.entry.misuse
        }
    }

    private static func list(_ call: CommandCall) async throws(Failure) -> Ending {
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

    private static func delete(_ call: CommandCall, _ words: ArraySlice<String>) async throws(Failure) -> Ending {
        let device = try call.device()
        var chosen: [Recording] = []
        for word in words {
            let recording = try await find(word, device)
            if !chosen.contains(where: { $0.id == recording.id }) { chosen.append(recording) }
        }
        let names = chosen.map { "\"\(Shown.text($0.shownName))\"" }.joined(separator: ", ")
        try call.confirm(
            "Delete \(names) on the server?",
            otherwise: "recordings delete asks first: write --yes where nobody can answer."
        )
        for recording in chosen {
            try await asking { () async throws(ClientError) in try await device.deleteRecording(recording.id) }
        }
        call.output.result(
            ["deleted": .array(chosen.map { .string($0.id.text) })],
            chosen.map { $0.id.text + "\n" }.joined()
        )
        return .done
    }

    /// The recording that a word names.
    static func find(_ word: String, _ device: NeuroViews) async throws(Failure) -> Recording {
        if let id = UUID(uuidString: word) {
            return try await asking { () async throws(ClientError) in try await device.recording(id) }
        }
        let all = try await all(device)
        let index = try Naming.find(
            word,
            among: all.enumerated().map { ($0.offset, $0.element.id.text, $0.element.filename) },
            kind: "recording",
            list: "recordings"
        )
        return all[index]
    }

    private static func all(_ device: NeuroViews) async throws(Failure) -> [Recording] {
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
