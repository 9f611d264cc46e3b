import Foundation
import TestSupport
import Testing

@Suite(
    "A database whose clock jumps ahead",
    .inFull,
    .blocking,
    .enabled(if: FakeClock.isInstalled, "faketime is not here: apt-get install faketime")
)
struct DatabaseClockTests {
    /// A server with an old version, an event and an open upload, and its PostgreSQL with a clock of its own.
    private struct Scene {
        let clock: FakeClock
        let cluster: TestCluster
        let url: String
        let server: ServerProcess
        let device: Device

        init() throws {
            clock = try FakeClock()
            cluster = try TestCluster(clock: clock)
            url = try cluster.makeDatabase()
            let options = ["--registration", "open", "--signatures", "optional", "--versions-kept-days", "30"]
            server = try ServerProcess(["--database-url", url] + options)
            device = try Device.new(server.client)
            let preset = Preset()
            try device.agree()
            let event = #"{"events":[{"name":"tap","timestamp":"\#(Device.eventTime())"}]}"#
            let answers = [
                try device.post(preset.json), try device.put(preset.id, preset.edited("Edit", minute: 1).json),
                try device.send("POST", "/v2/analytics/events", body: event),
                try device.openUpload(UUID().uuidString),
            ]
            guard answers.allSatisfy({ (200...202).contains($0.status) }) else {
                throw Program.Failure("\(answers.map(\.verdict))")
            }
        }

        func restart(_ offset: String) throws {
            try server.stop()
            try clock.set(offset)
            try server.start()
        }

        /// The numbers of sessions, versions with a document, events and uploads.
        func rows() throws -> [Int?] {
            let tables = [
                "sessions", "configuration_versions WHERE document IS NOT NULL", "analytics_events", "recording_files",
            ]
            return try tables.map { table in
                try cluster.execute("SELECT count(*) FROM neuroviews.\(table)", in: url).first?.int(0)
            }
        }

        func stopped(by reason: String) throws -> Double? {
            let metrics = try Exposition(server.adminClient.send("GET", "/metrics").text)
            return metrics.value("neuroviews_sweeps_stopped", ["reason": reason])
        }

        func command(_ words: [String]) throws -> Program {
            try Operator.run(words + ["--data", server.data, "--database-url", url])
        }
    }

    @Test("A clock two years ahead deletes nothing, and log, metrics and doctor report it until it is right")
    func ahead() throws {
        let scene = try Scene()
        defer { _ = try? scene.server.stop() }
        let before = try scene.rows()
        #expect(before.allSatisfy { $0 ?? 0 > 0 })
        try scene.restart("+2y")
        try scene.server.awaitLog("database clock sweeps=stopped reason=ahead-of-note")
        #expect(try scene.stopped(by: "ahead-of-note") == 1)
        #expect(try scene.stopped(by: "ahead-of-server") == 0)
        let doctor = try scene.command(["doctor"]).output
        #expect(doctor.contains("warning  old data: nothing is deleted by age: the database's clock is 7"), "\(doctor)")
        #expect(doctor.contains("admin accept-clock"))
        try scene.restart("+0")
        try Deadline.wait("a look at the clock", seconds: 30) { try scene.stopped(by: "ahead-of-note") == 0 }
        #expect(try scene.rows() == before)
        var again = scene.device
        again.client = scene.server.client
        #expect(try again.pull().status == 200)
    }

    @Test("After admin accept-clock a server deletes what is too old by that clock")
    func accepted() throws {
        let scene = try Scene()
        defer { _ = try? scene.server.stop() }
        #expect(try scene.command(["admin", "accept-clock"]).output.hasPrefix("nothing to accept"))
        try scene.restart("+2y")
        try scene.server.awaitLog("database clock sweeps=stopped")
        let accepted = try scene.command(["admin", "accept-clock"])
        #expect(accepted.status == 0 && accepted.output.hasPrefix("accepted 20"), "\(accepted.complaint)")
        try scene.restart("+2y")
        // The session's turn comes within a day: unused ones end some accounts at a time.
        try Deadline.wait("the end of old data", seconds: 30) { try scene.rows().dropFirst() == [1, 0, 0] }
        #expect(try scene.stopped(by: "ahead-of-note") == 0)
    }
}
