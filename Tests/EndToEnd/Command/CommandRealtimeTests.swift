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
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment.merging(scene.environment) { $1 }
        settings.output = file.fileDescriptor
        let words = ["watch", "--every", "86400", "--profile", "phone"]
        let watch = try SpawnedProgram(Program.command, words, settings)
        defer { kill(watch.number, SIGKILL) }
        try await eventually { try String(contentsOfFile: path, encoding: .utf8).contains("changed\t\(first)") }
        let second = try scene.make("Dune", on: "tablet")
        try await eventually { try String(contentsOfFile: path, encoding: .utf8).contains("changed\t\(second)") }
        try await eventually { try scene.output(["presence"], on: "tablet").contains("\tonline\t") }
        kill(watch.number, SIGINT)
        #expect(watch.wait(seconds: Double(Patience.ms(20_000)) / 1000) == 130)
        withExtendedLifetime(file) {}
    }
}
