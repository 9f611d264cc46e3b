import Foundation
import Net
import TestSupport

/// The commands of an operator.
enum Operator {
    /// Runs a command of the server's program to its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        seconds: Double = 120
    ) throws -> Program {
        try Program.run([Program.server] + arguments, environment: environment, seconds: seconds)
    }

    /// Runs a command that must succeed.
    @discardableResult
    static func succeed(_ arguments: [String]) throws -> String {
        let program = try run(arguments)
        guard program.status == 0 else { throw Program.Failure("\(arguments): \(program.status) \(program.complaint)") }
        return program.output
    }

    /// Starts a command, for tests that interrupt it.
    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> SpawnedProgram {
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment.merging(environment) { _, new in new }
        return try SpawnedProgram(Program.server, arguments, settings)
    }

    /// Kills the process. It gets no time to clean up.
    static func kill(_ process: SpawnedProgram) throws {
        Glibc.kill(process.number, SIGKILL)
        try Deadline.wait("the end of the command", seconds: 30) { !process.isRunning }
    }

    /// True if the file or folder exists.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Every path below a folder.
    static func tree(_ folder: String) -> Set<String> {
        Set((FileManager.default.enumerator(atPath: folder)?.allObjects ?? []).compactMap { $0 as? String })
    }
}
