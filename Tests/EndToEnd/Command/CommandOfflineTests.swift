import Foundation
import Net
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("The command without a server, and its secrets", .blocking, .timeLimit(.minutes(Patience.minutes(4))))
struct CommandOfflineTests {
    @Test("Changes without a network, or behind its own page, succeed and are kept; a sync gets status 69 or 76")
    func offline() throws {
        let server = try ServerProcess(["--registration", "open"])
        let scene = try CommandScene(server)
        try scene.open("phone")
        let (url, port) = (scene.url, server.client.port)
        try server.stop()
        let made = try scene.run(["new", "--set", #"/name="Dune""#])
        #expect(made.status == 0)
        #expect(made.complaint.hasPrefix("neuroviews: Kept on this device until the next sync. "))
        let synced = try scene.run(["sync", "--server", url])
        #expect(synced.status == 69)
        #expect(synced.output == "")
        let refused = try scene.run(["logout"])
        #expect(refused.status == 64)
        #expect(refused.complaint.contains("--keep"))
        #expect(try scene.output(["list"]).contains("\tDune\t"))
        let portal = try PagePortal(port: port)
        let behind = try scene.run(["new", "--set", #"/name="Cove""#])
        #expect(behind.status == 0)
        #expect(behind.complaint.hasPrefix("neuroviews: Kept on this device until the next sync. The answer to "))
        #expect(try scene.run(["sync"]).status == 76)
        withExtendedLifetime(portal) {}
    }

    @Test("The first SIGINT ends a command that waits for its standard input")
    func stoppedInput() throws {
        var ends: [Int32] = [-1, -1]
        let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        try #require(made == 0)
        let (input, output) = (ends[0], ends[1])
        defer { close(output) }
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment.merging(["HOME": Sandbox.makeFolder()]) { $1 }
        settings.input = input
        let command = try SpawnedProgram(Program.command, ["new", "-"], settings)
        defer { kill(command.number, SIGKILL) }
        close(input)
        // More than the socket keeps: after this the command reads, and has taken over its signals.
        let bytes = [UInt8](repeating: 0x20, count: 1 << 20)
        #expect(send(output, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        kill(command.number, SIGINT)
        #expect(command.wait(seconds: Double(Patience.ms(20_000)) / 1000) == 130)
    }

    @Test("The CR LF at the end of a line is no part of a password")
    func lineEnd() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let words = ["login", scene.email, "--server", scene.url, "--password-stdin"]
        try scene.output(words, TestSupport.Device.password + "\r\n", on: "tablet")
    }

    @Test("Without --json nothing but results is on standard output; with it, errors are JSON on standard error")
    func errors() throws {
        let scene = try CommandScene()
        let plain = try scene.run(["list"])
        #expect(plain.output == "" && plain.complaint.hasPrefix("neuroviews: "))
        let program = try scene.run(["list", "--json"])
        #expect(program.status == 77 && program.output == "")
        let error = try JSONParser.parse(Array(program.complaint.utf8), policy: .requestBody)
        #expect(error["exit_status"]?.number?.int64 == 77)
        #expect(error["detail"]?.string?.contains("neuroviews login") == true)
    }

    @Test("Passwords and tokens are in files of mode 0600 alone, and a file that others can read is refused")
    func secrets() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let folder = scene.folder(of: "phone")
        let all = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let files = all.filter { (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\($0)")) == nil }
        #expect(files.contains { $0.hasPrefix("secrets/") })
        for file in files {
            let path = "\(folder)/\(file)"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect((mode?.intValue ?? 0o777) & 0o077 == 0, "\(file)")
            let bytes = FileManager.default.contents(atPath: path) ?? Data()
            #expect(!String(decoding: bytes, as: UTF8.self).contains(TestSupport.Device.password), "\(file)")
        }
        let secret = try #require(files.first { $0.hasPrefix("secrets/") && !$0.contains("/.") })
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/\(secret)")
        let refused = try scene.run(["list"])
        #expect(refused.status == 78)
        #expect(refused.complaint.contains("chmod go= "))
    }

    @Test("Without a terminal and without --password-stdin, login says so and reads nothing")
    func noTerminal() throws {
        let scene = try CommandScene()
        let program = try scene.run(["login", scene.email, "--server", scene.url], TestSupport.Device.password + "\n")
        #expect(program.status == 64)
        #expect(program.complaint.contains("--password-stdin"))
    }

    @Test("An editor changes what differs, is opened again with the faults on top, and leaves no file")
    func editor() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let id = try scene.make("Reef")
        let script = scene.home + "/editor"
        try Script.write(
            """
            if grep -q '^// /frame_rate must be' "$1"; then
                sed -i 's/999/25/' "$1"
            else
                sed -i 's/"frame_rate": 30/"frame_rate": 999/' "$1"
            fi
            stat --format %a "$1" >>\(scene.home)/modes
            """,
            to: script
        )
        let edited = try scene.run(["edit", id], in: ["EDITOR": script])
        #expect(edited.status == 0, "\(edited.complaint)")
        #expect(edited.output == "/frame_rate\n")
        #expect(try scene.json(["show", id])["configuration"]?["frame_rate"]?.number?.int64 == 25)
        let modes = try String(contentsOfFile: scene.home + "/modes", encoding: .utf8)
        #expect(modes == "600\n600\n")
        let files = try FileManager.default.contentsOfDirectory(atPath: scene.folder(of: "phone"))
        #expect(!files.contains { $0.hasPrefix("edit-") })
    }

    @Test("An editor that fails, and an unchanged text, change nothing")
    func unchanged() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let id = try scene.make("Reef")
        #expect(try scene.run(["edit", id], in: ["EDITOR": "false"]).status == 69)
        let same = try scene.run(["edit", id], in: ["EDITOR": "true"])
        #expect(same.status == 0 && same.output == "")
        let wrong = try scene.run(["edit", id], in: ["EDITOR": "sed -i s/30/999/"])
        #expect(wrong.status == 65)
        #expect(wrong.complaint.contains("The text is in "))
        #expect(try scene.json(["show", id])["configuration"]?["frame_rate"]?.number?.int64 == 30)
    }
}
