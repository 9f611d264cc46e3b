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
        let recording = try await RecordingsCommand.find(call.words[0], device)
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
