import Foundation
import TestSupport
import Testing

@Suite("The command on a terminal", .blocking, .timeLimit(.minutes(Patience.minutes(4))))
struct CommandTerminalTests {
    private func run(
        _ scene: CommandScene,
        _ words: [String],
        _ steps: [(shown: String, typed: String)] = []
    ) throws -> TerminalRun {
        try TerminalRun.run([Program.command] + words, steps: steps, environment: scene.environment)
    }

    @Test("A password is asked for without echo")
    func password() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let login = try run(
            scene,
            ["login", scene.email, "--server", scene.url, "--profile", "tablet"],
            [("Password of \(scene.email):", TestSupport.Device.password + "\n")]
        )
        #expect(login.status == 0)
        #expect(login.shown.contains("Logged in as \(scene.email)."))
        #expect(!login.shown.contains(TestSupport.Device.password))
    }

    @Test("Ctrl-C at the password ends with status 130, and the terminal echoes again")
    func stoppedPassword() throws {
        let scene = try CommandScene()
        let words = "\(Program.command) login \(scene.email) --server \(scene.url); echo \"status $?\"; stty -a"
        // An interactive shell gives the command a process group of its own, and goes on after Ctrl-C.
        let shell = try TerminalRun.run(
            ["bash", "--norc", "-i", "-c", "trap : INT; \(words)"],
            steps: [("Password of \(scene.email):", "\u{3}")],
            environment: scene.environment
        )
        #expect(shell.shown.contains("neuroviews: Stopped; nothing is lost"))
        #expect(shell.shown.contains("status 130"))
        #expect(shell.shown.contains(" echo ") && !shell.shown.contains("-echo "))
    }

    @Test("A table has headings, and a deletion asks")
    func asks() throws {
        let scene = try CommandScene()
        try scene.open("default")
        let id = try scene.make("Cliff", on: "default")
        let list = try run(scene, ["list"])
        #expect(list.shown.hasPrefix("ID        NAME"))
        #expect(list.shown.contains("\(id.prefix(8))  Cliff"))
        let kept = try run(scene, ["delete", "Cliff"], [("Delete \"Cliff\"? [y/N]", "n\n")])
        #expect(kept.status == 1 && kept.shown.contains("Nothing was changed."))
        let deleted = try run(scene, ["delete", "Cliff"], [("Delete \"Cliff\"? [y/N]", "y\n")])
        #expect(deleted.status == 0)
        #expect(try scene.output(["list"], on: "default") == "")
    }

    @Test("A watch prints changes until Ctrl-C, and ends with status 130")
    func watch() throws {
        let scene = try CommandScene()
        try scene.open("default", "tablet")
        let id = try scene.make("Cliff", on: "tablet")
        let watch = try run(scene, ["watch", "--every", "1"], [("changed\t\(id)", "\u{3}")])
        #expect(watch.status == 130)
        #expect(watch.shown.contains("neuroviews: Stopped; nothing is lost"))
    }

    @Test("The bar of an upload is on standard error alone, and a result on standard output")
    func bar() throws {
        let scene = try CommandScene()
        try scene.open("default")
        let (file, result) = (scene.home + "/take.bin", scene.home + "/result")
        _ = FileManager.default.createFile(atPath: file, contents: Data(repeating: 7, count: 3_000_000))
        let upload = try TerminalRun.run(
            ["sh", "-c", "\(Program.command) upload \(file) >\(result)"],
            environment: scene.environment
        )
        #expect(upload.status == 0, "\(upload.shown)")
        #expect(upload.shown.contains("take.bin: ") && upload.shown.contains("3.0 MB ["))
        let lines = try String(contentsOfFile: result, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix("\t\(file)\tdone\tthe local file may go"))
        let json = try run(scene, ["upload", file, "--json"])
        #expect(json.status == 0 && !json.shown.contains("\u{1B}["))
    }
}
