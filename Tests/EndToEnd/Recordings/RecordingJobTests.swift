import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Jobs of recordings in a running server", .blocking)
struct RecordingJobTests {
    private static let server = Result {
        try ServerProcess(["--registration", "open", "--signatures", "optional"])
    }

    /// Puts a file in the upload's place, and completes the recording.
    private func record(_ bytes: [UInt8], _ device: Device, _ server: ServerProcess) throws -> String {
        let id = UUID().uuidString
        let opened = try device.askForUpload(id, #"{"file_size":\#(bytes.count),"content_type":"video/quicktime"}"#)
        let token = try #require(opened.string("upload_url").split(separator: "/").last)
        let key = String(token.prefix { $0 != "." })
        let folder = Hex.encode(Array(SHA256.hash(Array(key.utf8)).prefix(1)))
        try Data(bytes).write(to: URL(fileURLWithPath: "\(server.data)/objects/objects/\(folder)/\(key)"))
        try device.finishUpload(id, server)
        let completed = try device.complete(id, Device.movie)
        #expect(completed.status == 200 && completed.string("processing_status") == "pending")
        return id
    }

    @Test("A completed recording is verified at once, and a restart continues the remaining jobs")
    func verified() throws {
        let server = try Self.server.get()
        let device = try Device.new(server.client)
        let token = try device.recordings("sync_token=").string("sync_token")
        let id = try record(Array("no video".utf8), device, server)
        try Deadline.wait("the end of the jobs", seconds: 20) {
            try device.recording(id).string("processing_status") == "ready"
        }
        let current = try device.recording(id)
        #expect(current.version == 3)
        #expect(try device.recordings("sync_token=\(token)").rawElements("recordings") == [current.text])
        #expect(try device.complete(id, Device.movie).string("processing_status") == "ready")
        try server.awaitLog("job kind=verify recording=\(id.lowercased()) attempt=1")

        // The new server runs the job that the old server has begun.
        let second = try record(Array("another".utf8), device, server)
        try server.stop()
        try server.start()
        var again = device
        again.client = server.client
        try Deadline.wait("the end of the jobs", seconds: 20) {
            try again.recording(second).string("processing_status") == "ready"
        }
        #expect(try server.stop() == 0)
    }

    private static let canDecode = access("/usr/bin/ffprobe", X_OK) == 0 && access("/usr/bin/ffmpeg", X_OK) == 0

    @Test(
        "A receipt comes within two seconds beside another account's four films that were made to be slow",
        .enabled(if: canDecode, "ffmpeg is not installed")
    )
    func slowFilms() throws {
        // Not each machine for tests allows namespaces.
        let server = try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--unsandboxed-media", "accept-risk",
        ])
        defer { _ = try? server.stop() }
        let (attacker, device) = (try Device.new(server.client), try Device.new(server.client))
        for _ in 0..<4 { _ = try record(HostileMovie.bytes(), attacker, server) }
        let films = "SELECT count(*), count(*) FILTER (WHERE kind = 'process' AND lease IS NOT NULL) FROM jobs"
        // One of the two workers stays free for others.
        try Deadline.wait("the first slow film", seconds: 20) { try server.sql(films) == ["4|1"] }

        let id = try record(Array("no video".utf8), device, server)
        try Deadline.wait("the receipt", seconds: 2) { try device.recording(id).text.contains(#""verified_at""#) }
        try Deadline.wait("the end of the jobs", seconds: 20) {
            try device.recording(id).string("processing_status") == "ready"
        }
        // At most one film ended before: a film uses ten seconds of processor time.
        #expect(try server.sql("SELECT count(*) > 2 FROM jobs WHERE recording_id <> '\(id)'") == ["t"])
    }
}
