import Foundation

/// A finished run of a command on a terminal (Tests/Support/terminal.py).
package struct TerminalRun: Sendable, Decodable {
    /// The exit status, or 128 and the signal's number.
    package let status: Int32
    /// Everything that the terminal showed, also what it echoed.
    package let shown: String

    private struct Request: Encodable {
        let command: [String]
        let environment: [String: String]
        let steps: [[String]]
        let seconds: Double
    }

    /// Runs a command. Each step waits until the terminal shows a text, and then types another one.
    package static func run(
        _ command: [String],
        steps: [(shown: String, typed: String)] = [],
        environment: [String: String] = [:],
        seconds: Double = 60
    ) throws -> TerminalRun {
        let usual = Program.environment.merging(["TERM": "xterm"]) { $1 }
        let request = Request(
            command: command,
            environment: usual.merging(environment) { $1 },
            steps: steps.map { [$0.shown, $0.typed] },
            seconds: seconds * Patience.factor
        )
        let program = try Program.run(
            ["python3", Tool.script("terminal.py")],
            inputBytes: Array(JSONEncoder().encode(request)),
            seconds: seconds + 10
        )
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return try JSONDecoder().decode(TerminalRun.self, from: Data(program.outputBytes))
    }
}
