import Foundation
import NeuroViewsClient

extension Presets {
    /// Uploads a file and shows its progress. After Ctrl-C the next `follow` or `upload` goes on where this one stopped.
    func upload(_ path: String) async throws {
        let file = URL(fileURLWithPath: path)
        await client.start()
        let upload = try await client.upload(file, RecordingMetadata(creationDate: Date()))
        for await step in client.progress(of: upload.id) {
            print("\(step.state), \(step.sent) of \(step.size) bytes")
        }
        guard let last = try await client.upload(upload.id) else { return }
        print(last.mayDeleteFile ? "stored and verified: \(path) may be deleted" : "not stored: \(last.state)")
    }
}
