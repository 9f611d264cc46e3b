import CommandWords
import FoundationEssentials
import Glibc
import NeuroViewsClient
import Synchronization

/// `download`: a recording's file, verified.
enum DownloadCommand {
    static let columns = ["ID", "FILE"]

    static func download(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let recording = try await recording(call.words[0], device)
        let staysSealed = recording.seal != nil && call.has("--raw")
        let usual = staysSealed ? "\(recording.id.text).sealed" : fileName(recording)
        let path = call.words.count > 1 ? call.words[1] : usual
        guard access(path, F_OK) != 0 else {
            throw Failure("\(path) exists and is not replaced: name another file.", .cannotCreate)
        }
        try await fetch(recording, path, call, device)
        call.output.result(
            ["id": .string(recording.id.text), "file": .string(path), "state": "done"],
            Table(columns, [[recording.id.text, path]]).text(isForTerminal: false)
        )
        return .done
    }

    private static func fetch(
        _ recording: Recording,
        _ path: String,
        _ call: CommandCall,
        _ device: NeuroViews
    ) async throws(Failure) {
        let bar = Bar(ProgressBar(path, in: call.output))
        defer { bar.end() }
        try await asking { () async throws(ClientError) in
            try await device.download(recording.id, to: URL(filePath: path), opens: !call.has("--raw")) { progress in
                bar.show(progress)
            }
        }
    }

    private static func recording(_ word: String, _ device: NeuroViews) async throws(Failure) -> Recording {
        if let id = UUID(uuidString: word) {
            return try await asking { () async throws(ClientError) in try await device.recording(id) }
        }
        let all = try await RecordingsCommand.all(device)
        let index = try Naming.find(
            word,
            among: all.enumerated().map { ($0.offset, $0.element.id.text, $0.element.filename) },
            kind: "recording",
            list: "recordings"
        )
        return all[index]
    }

    /// The name that another device gave the file. It must not lead out of this folder, or look like something else.
    private static func fileName(_ recording: Recording) -> String {
        let name = recording.filename
        let isPlain = !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && name.utf8.count <= 200
        return isPlain && Shown.text(name) == name ? name : recording.id.text
    }
}

/// A bar that the library's threads show.
private final class Bar: Sendable {
    private let bar: Mutex<ProgressBar>

    init(_ bar: consuming ProgressBar) { self.bar = Mutex(bar) }

    func show(_ progress: TransferProgress) { bar.withLock { $0.show("received", progress.bytes, of: progress.total) } }
    func end() { bar.withLock { $0.end() } }
}
