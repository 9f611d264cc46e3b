import Foundation
import Net
import TestSupport
import Testing

@Suite("The command media", .blocking)
struct MediaCommandTests {
    /// A server that runs no jobs itself.
    private static func server() throws -> ServerProcess {
        try ServerProcess(["--registration", "open", "--signatures", "optional", "--media-jobs", "0"])
    }

    /// A completed recording that is not verified yet.
    private func record(_ device: Device, _ server: ServerProcess) throws -> String {
        let (id, bytes) = (UUID().uuidString, [UInt8](repeating: 7, count: 1000))
        _ = try device.openUpload(id, bytes: bytes.count)
        try device.finishUpload(id, server)
        try device.storeFile(id, bytes, server)
        #expect(try device.complete(id, Device.movie).string("processing_status") == "pending")
        return id
    }

    @Test("A media process verifies recordings of another server, and survives lost connections")
    func beside() throws {
        let server = try Self.server()
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        func isReady(_ id: String) throws -> Bool { try device.recording(id).string("processing_status") == "ready" }
        let before = try record(device, server)
        // The variable is for another database than the private one.
        let media = try MediaProcess(["--data", server.data], environment: ["PGSERVICE": "staging"])
        defer { media.kill() }
        try Deadline.wait("the job that was there", seconds: 20) { try isReady(before) }
        // The announcement is faster than the regular check every 30 seconds.
        let second = try record(device, server)
        try Deadline.wait("the job that was announced", seconds: 15) { try isReady(second) }
        // The server has one, too.
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^(LISTEN|NOTIFY)'"
        #expect(try server.sql(end, role: "neuroviews") == ["t", "t"])
        try Deadline.wait("the loss", seconds: 20) { media.log.contains("not_listening") }
        let third = try record(device, server)
        try Deadline.wait("the job behind the loss", seconds: 15) { try isReady(third) }
        let status = try media.stop()
        #expect(status == 0, "\(media.log)")
        #expect(media.log.contains("job kind=verify recording=\(second.lowercased()) attempt=1"))
        let fourth = try record(device, server)
        #expect(try server.sql("SELECT kind FROM jobs") == ["verify"])
        #expect(try !isReady(fourth))
    }

    @Test("A media process exposes its counts on an admin listener of its own")
    func metrics() throws {
        let server = try Self.server()
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let media = try MediaProcess(["--data", server.data, "--admin-listen", "127.0.0.1:0"])
        defer { media.kill() }
        let port = try media.adminPort()
        let id = try record(device, server)
        try Deadline.wait("the job", seconds: 40) { try device.recording(id).string("processing_status") == "ready" }
        let client = APIClient(port: port)
        func count(_ name: String, _ labels: [String: String] = [:]) throws -> Double? {
            try Exposition(client.send("GET", "/metrics").text).value(name, labels)
        }
        let verified = ["kind": "verify", "outcome": "done"]
        try Deadline.wait("the count", seconds: 10) { try count("neuroviews_jobs_total", verified) == 1 }
        #expect(try count("neuroviews_job_workers") == 3)
        #expect(server.log.contains("jobs not_run="), "\(server.log)")
        #expect(try count("neuroviews_job_seconds_total", verified) != nil)
        #expect(try count("neuroviews_jobs", ["kind": "verify", "state": "waiting"]) == 0)
        #expect(try count("neuroviews_upload_bytes_total") == nil, "it takes none")
        #expect(try client.send("GET", "/readyz").status == 200)
        let again = try Operator.run([
            "media", "--data", server.data, "--admin-listen", "127.0.0.1:\(port)",
        ])
        #expect(again.status == 69 && again.complaint.contains("choose another address with --admin-listen"))
        #expect(try media.stop() == 0)
    }

    @Test("A media process that waits for its database is alive for systemd, and stops at once with status 0")
    func waits() throws {
        let manager = try NotifyReceiver()
        let media = try MediaProcess(
            ["--data", Sandbox.makeFolder() + "/data", "--database-url", "host=/nowhere user=x dbname=y"],
            environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"]
        )
        defer { media.kill() }
        #expect(try manager.await("READY=1").contains("STATUS=waiting for the database"))
        for _ in 0..<3 { try manager.await("WATCHDOG=1") }
        #expect(try media.stop() == 0, "\(media.log)")
        #expect(media.log.contains("stopped"))
    }

    @Test("A media process without jobs or the right secret does not start")
    func refused() throws {
        let server = try Shared.server.get()
        func run(_ words: String...) throws -> Program { try Operator.run(["media", "--data", server.data] + words) }
        let idle = try run("--media-jobs", "0")
        #expect(idle.status == 69 && idle.complaint.contains("media_jobs is 0"))
        let missing = Sandbox.makeFolder() + "/secret.key"
        let secretless = try run("--secret-file", missing)
        #expect(secretless.status == 69 && secretless.complaint.contains("There is no secret file"))
        #expect(access(missing, F_OK) != 0)
        try Data(FileOnItsWay.random(32)).write(to: URL(fileURLWithPath: missing))
        chmod(missing, 0o600)
        let foreign = try run("--secret-file", missing)
        #expect(foreign.status == 69 && foreign.complaint.contains("is not the one this database was made with"))
    }
}

/// A process of `neuroviews-server media`.
private final class MediaProcess: Sendable {
    private let process: SpawnedProgram
    private let path = Sandbox.makeFolder() + "/media.log"

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment.merging(environment) { _, new in new }
        try Data().write(to: URL(fileURLWithPath: path))
        let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        settings.error = errors.fileDescriptor
        let words = ["media", "--log-format", "text"] + arguments
        process = try withExtendedLifetime(errors) { try SpawnedProgram(Program.server, words, settings) }
    }

    var log: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }

    func adminPort() throws -> UInt16 {
        var port: UInt16?
        try Deadline.wait("the admin listener", seconds: 20) {
            port = log.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) }
            return port != nil
        }
        return port ?? 0
    }

    func stop() throws -> Int32? {
        Glibc.kill(process.number, SIGTERM)
        try Deadline.wait("the end of the jobs", seconds: 30) { !process.isRunning }
        return process.status
    }

    func kill() { if process.isRunning { Glibc.kill(process.number, SIGKILL) } }
}
