import Foundation
import Net
import NeuroViewsClient
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("The command and connected devices", .blocking, .timeLimit(.minutes(Patience.minutes(3))))
struct CommandRealtimeTests {
    /// A camera of the scene's account, which carries out one command.
    private func camera(_ scene: CommandScene) async throws -> (NeuroViews, Task<Void, Never>) {
        var options = Options()
        options.folder = URL(fileURLWithPath: scene.home + "/camera")
        options.secrets = FileSecretStore(folder: scene.home + "/secrets")
        options.deviceName = "Camera 1"
        let client = try NeuroViews(server: try #require(URL(string: scene.url)), options)
        _ = try await client.logIn(with: .password(email: scene.email, password: TestSupport.Device.password))
        let commands = client.commands()
        let work = Task {
            for await command in commands {
                await command.finish(command.name == "set_zoom" ? .done(command.parameters) : .refused("no"))
            }
        }
        try await client.setStatus(["state": "idle"], accepts: ["set_zoom", "capture_photo"])
        await client.start()
        return (client, work)
    }

    @Test("A camera is listed while it is connected, carries out what is sent, and a refusal gives status 1")
    func send() async throws {
        let scene = try CommandScene()
        try scene.open("phone")
        #expect(try scene.output(["presence"]) == "")
        let (client, work) = try await camera(scene)
        try await eventually { try scene.output(["presence"]) != "" }
        let id = try #require(try await client.devices().first { $0.isCurrent }?.id)
        #expect(try scene.output(["presence"]) == "\(id)\tCamera 1\tidle\t0\tset_zoom,capture_photo\n")
        let json = try scene.json(["presence"])
        #expect(json["devices"]?.array?.first?["status"]?["state"]?.string == "idle")
        #expect(try scene.output(["send", "set_zoom", #"{"factor": 2}"#]) == "done\t{\"factor\":2}\n")
        #expect(try scene.output(["send", "set_zoom", "1", "--to", "Camera 1"]) == "done\t1\n")
        let refused = try scene.run(["send", "capture_photo", "--json"])
        #expect(refused.status == 1 && refused.output.contains(#""status":"refused","error":"no"}"#))
        #expect(try scene.run(["send", "set_zoom", "--to", "nobody"]).status == 66)
        #expect(try scene.run(["send", "set_zoom", "{factor: 2}"]).status == 64)
        #expect(try scene.run(["send", "set_zoom", "--timeout", "31"]).status == 64)
        work.cancel()
        await client.stop()
    }

    @Test("A watch prints a change of another device long before its next question, and is listed as online")
    func watch() async throws {
        let scene = try CommandScene()
        try scene.open("phone", "tablet")
        let first = try scene.make("Cliff", on: "tablet")
        let path = scene.home + "/watched"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try #require(FileHandle(forWritingAtPath: path))
        let watch = try startWatch(scene, into: file.fileDescriptor)
        defer { kill(watch.number, SIGKILL) }
        try await eventually { try String(contentsOfFile: path, encoding: .utf8).contains("changed\t\(first)") }
        let second = try scene.make("Dune", on: "tablet")
        try await eventually { try String(contentsOfFile: path, encoding: .utf8).contains("changed\t\(second)") }
        try await eventually { try scene.output(["presence"], on: "tablet").contains("\tonline\t") }
        kill(watch.number, SIGINT)
        #expect(end(watch) == 130)
        withExtendedLifetime(file) {}
    }

    /// A watch of the phone, which asks once in a day unless told.
    private func startWatch(
        _ scene: CommandScene,
        everyS: Int = 86400,
        into output: Int32 = -1
    ) throws -> SpawnedProgram {
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment.merging(scene.environment) { $1 }
        settings.output = output
        let words = ["watch", "--every", "\(everyS)", "--profile", "phone"]
        return try SpawnedProgram(Program.command, words, settings)
    }

    /// The status of a program that must end soon.
    private func end(_ program: SpawnedProgram) -> Int32? {
        program.wait(seconds: Double(Patience.ms(20_000)) / 1000)
    }

    @Test("A watch of a profile that is logged out ends with status 77, also one that begins after the log out")
    func loggedOut() async throws {
        let scene = try CommandScene()
        try scene.open("phone", "tablet")
        let watch = try startWatch(scene, everyS: 1)
        defer { kill(watch.number, SIGKILL) }
        try await eventually { try scene.output(["presence"], on: "tablet").contains("\tonline\t") }
        try scene.output(["logout"])
        #expect(end(watch) == 77)
        let late = try startWatch(scene)
        defer { kill(late.number, SIGKILL) }
        #expect(end(late) == 77)
    }

    @Test("A watch ends with status 74 at the first change after its reader has gone")
    func unread() throws {
        let scene = try CommandScene()
        try scene.open("phone", "tablet")
        let first = try scene.make("Cliff", on: "tablet")
        var ends: [Int32] = [-1, -1]
        let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        try #require(made == 0)
        let (reader, output) = (FileHandle(fileDescriptor: ends[0], closeOnDealloc: true), ends[1])
        let watch = try startWatch(scene, into: output)
        defer { kill(watch.number, SIGKILL) }
        close(output)
        var shown = Data()
        while !String(decoding: shown, as: UTF8.self).contains(first) {
            let piece = reader.availableData
            try #require(!piece.isEmpty)
            shown += piece
        }
        try reader.close()
        _ = try scene.make("Dune", on: "tablet")
        #expect(end(watch) == 74)
    }
}
