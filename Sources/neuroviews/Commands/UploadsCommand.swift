import FoundationEssentials
import NeuroViewsClient

/// `uploads`: those under way, and those that have ended.
enum UploadsCommand {
    static let columns = ["ID", "STATE", "SENT", "SIZE", "FILE"]

    static func run(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let uploads = try await asking { () async throws(ClientError) in try await device.uploads() }
        switch (call.words.first, call.words.count) {
        case (nil, _): return list(call, uploads)
        case ("resume", _): return try await resume(call, device, uploads)
        case ("pause", 2):
            let id = try find(call.words[1], uploads)
            let now = try await asking { () async throws(ClientError) in
                try await device.pauseUpload(id)
                return try await device.upload(id)
            }
            // What the server verifies, or what has ended, is not paused.
            return tell(call, id, now?.state.word ?? "cancelled")
        case ("cancel", 2):
            let id = try find(call.words[1], uploads)
            try await asking { () async throws(ClientError) in try await device.cancelUpload(id) }
            guard uploads.contains(where: { $0.id == id && $0.state == .done }) else {
                return tell(call, id, "cancelled")
            }
            call.output.remark(
                "It is out of the list. The recording stays: neuroviews recordings delete \(id.text) deletes it."
            )
            return tell(call, id, "done")
        default: throw call.entry.misuse
        }
    }

    private static func list(_ call: CommandCall, _ uploads: [Upload]) -> Ending {
        let short = call.output.isForTerminal ? Naming.short(uploads.map(\.id.text)) : [:]
        call.output.result(
            ["uploads": .array(uploads.map(\.json))],
            Table(
                columns,
                uploads.map {
                    [short[$0.id.text] ?? $0.id.text, $0.state.word, "\($0.sent)", "\($0.size)", $0.file.path]
                }
            )
        )
        return .done
    }

    private static func resume(_ call: CommandCall, _ device: NeuroViews, _ uploads: [Upload]) async throws(Failure)
        -> Ending
    {
        var chosen = uploads.filter { !$0.state.isOver }
        if call.words.count == 2 {
            let id = try find(call.words[1], uploads)
            chosen = uploads.filter { $0.id == id }
        }
        for upload in chosen {
            try await asking { () async throws(ClientError) in try await device.resumeUpload(upload.id) }
        }
        if chosen.isEmpty { call.output.remark("No upload is under way.") }
        return try await UploadFollowing.follow(chosen, device, call.output)
    }

    private static func find(_ word: String, _ uploads: [Upload]) throws(Failure) -> UUID {
        try Naming.find(
            word,
            among: uploads.map { ($0.id, $0.id.text, $0.file.lastPathComponent) },
            kind: "upload",
            list: "uploads"
        )
    }

    private static func tell(_ call: CommandCall, _ id: UUID, _ state: String) -> Ending {
        call.output.result(["id": .string(id.text), "state": .string(state)], "\(id.text)\t\(state)\n")
        return .done
    }
}
