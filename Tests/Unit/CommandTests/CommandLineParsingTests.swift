import CommandWords
import Foundation
import TestSupport
import Testing

@testable import neuroviews

@Suite("The command line of neuroviews", .blocking)
struct CommandLineParsingTests {
    private static let home = ["HOME": "/nowhere"]

    private static func failure(_ words: [String], _ environment: [String: String] = home) -> Failure? {
        do {
            _ = try CommandCall.parse(words, environment)
            return nil
        } catch {
            return error
        }
    }

    static let refused: [(words: [String], sentence: String)] = [
        ([], "A command is missing."),
        (["lst"], "\"lst\" is not a command: the commands are "),
        (["show"], "Write neuroviews show ID [--version TAG]."),
        (["list", "all"], "Write neuroviews list [--deleted]."),
        (["list", "--set", "/a=1"], "list has no --set: Write neuroviews list [--deleted]."),
        (["list", "--jsn"], "list has no --jsn: Write neuroviews list [--deleted]."),
        (["list", "--jsn", "--offline"], "list has no --jsn: Write neuroviews list [--deleted]."),
        (["sync", "--offline"], "sync has no --offline: Write neuroviews sync."),
        (["version", "--json"], "version has no --json: Write neuroviews version."),
        (
            ["login", "a@b.org", "--password", "hunter2"],
            "--password is not taken, since everybody on this machine can read"
        ),
        (["list", "--profile", "a/b"], "--profile is \"a/b\": it must be 1 to 64 letters, digits, - and _."),
        (["list", "--server", "cloud.example.org"], "--server is \"cloud.example.org\": it must be an absolute URL"),
        (["list", "--allow-plain-http", "maybe"], "--allow-plain-http is \"maybe\": it must be on or off."),
        (["list", "--pins", "abc"], "--pins is \"abc\": it must be digests in Base64 with commas between."),
    ]

    @Test("A wrong command line is refused with status 64 and a sentence", arguments: refused)
    func wrongCommandLine(words: [String], sentence: String) throws {
        let failure = try #require(Self.failure(words))
        #expect(failure.sentence.hasPrefix(sentence))
        #expect(failure.status == .usage)
    }

    @Test("A refusal never repeats the password that was written as an argument")
    func writtenPassword() throws {
        let failure = try #require(Self.failure(["login", "a@b.org", "--password", "hunter2"]))
        #expect(!failure.sentence.contains("hunter2"))
    }

    @Test("Options may stand before the command and after it")
    func order() throws {
        let call = try CommandCall.parse(["--profile", "tablet", "show", "--json", "1234"], Self.home)
        #expect(call.entry.name == "show")
        #expect(call.words == ["1234"])
        #expect(call.settings.profile == "tablet")
        #expect(call.output.isJSON)
    }

    @Test("A flag wins over the environment, the environment over the settings file")
    func sources() throws {
        let folder = Sandbox.makeFolder()
        let file = folder + "/config"
        try "profile = third\nNEUROVIEWS_CLI_DEVICE_NAME = Studio\n".write(
            toFile: file,
            atomically: true,
            encoding: .utf8
        )
        var environment = Self.home
        environment["NEUROVIEWS_CLI_CONFIG"] = file
        #expect(try CommandCall.parse(["list"], environment).settings.profile == "third")
        #expect(try CommandCall.parse(["list"], environment).settings.deviceName == "Studio")
        environment["NEUROVIEWS_CLI_PROFILE"] = "second"
        #expect(try CommandCall.parse(["list"], environment).settings.profile == "second")
        #expect(try CommandCall.parse(["list", "--profile", "first"], environment).settings.profile == "first")
    }

    @Test("A wrong variable or settings file is refused with status 78")
    func wrongSettings() {
        let variables = Self.home.merging(["NEUROVIEWS_CLI_PORT": "80"]) { $1 }
        #expect(Self.failure(["list"], variables)?.status == .configuration)
        #expect(Self.failure(["list", "--config", "/nowhere/config"])?.status == .configuration)
    }

    @Test("The server's variables are none of the command's")
    func serverVariables() {
        let variables = Self.home.merging(["NEUROVIEWS_LISTEN": "127.0.0.1:1", "NEUROVIEWS_TEST_FULL": "1"]) { $1 }
        #expect(Self.failure(["list"], variables) == nil)
    }
}
