import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

/// A home with profiles of the command, each of which is a device of one account.
struct CommandScene {
    /// A server with production settings, on which accounts may be opened, and which verifies recordings.
    static let server = Result {
        try ServerProcess([
            "--registration", "open", "--signatures", "required", "--unsandboxed-media", "accept-risk",
        ])
    }

    let server: ServerProcess
    let home = Sandbox.makeFolder()
    let email = TestSupport.Device.newEmail()

    init(_ server: ServerProcess? = nil) throws {
        self.server = try server ?? Self.server.get()
    }

    var url: String { server.client.origin }
    var environment: [String: String] { ["HOME": home, "LANG": "C.UTF-8"] }
    func folder(of profile: String) -> String { "\(home)/.local/share/neuroviews/\(profile)" }

    /// Runs the command, and returns what it did.
    @discardableResult
    func run(_ words: [String], _ input: String = "", on profile: String = "phone", in more: [String: String] = [:])
        throws -> Program
    {
        try Program.run(
            [Program.command] + words,
            input: input,
            environment: environment.merging(["NEUROVIEWS_CLI_PROFILE": profile]) { $1 }.merging(more) { $1 }
        )
    }

    /// Runs the command, which must succeed, and returns its output.
    @discardableResult
    func output(_ words: [String], _ input: String = "", on profile: String = "phone") throws -> String {
        let program = try run(words, input, on: profile)
        try #require(program.status == 0, "\(words): \(program.status) \(program.complaint)")
        return program.output
    }

    /// Runs the command with --json, and returns its document.
    func json(_ words: [String], on profile: String = "phone") throws -> NeuroViewsJSON.JSONValue {
        try JSONParser.parse(Array(try output(words + ["--json"], on: profile).utf8), policy: .requestBody)
    }

    /// Opens the account, and logs the profiles in.
    func open(_ profiles: String...) throws {
        for (index, profile) in profiles.enumerated() {
            let words = [index == 0 ? "register" : "login", email, "--server", url, "--password-stdin"]
            try output(words, TestSupport.Device.password + "\n", on: profile)
        }
    }

    /// Makes a configuration, and returns its id.
    func make(_ name: String, on profile: String = "phone", _ more: String...) throws -> String {
        let words = ["new", "--set", "/name=\"\(name)\""] + more
        return String(try output(words, on: profile).dropLast())
    }
}
