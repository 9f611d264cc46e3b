import FoundationEssentials
import Glibc
import Net

/// A program that this process started. Its methods block: use it at start and stop, never on an event loop.
package final class ChildProcess: Sendable {
    package struct Result {
        /// The exit status, or 128 and the signal's number.
        package let status: Int32
        /// Standard output and error together, at most 64 KiB.
        package let output: String
    }

    private let program: SpawnedProgram
    private let name: String

    package var number: Int32 { program.number }
    package var isRunning: Bool { program.isRunning }

    /// The program's descriptors, which replace the input text and the log.
    package struct Streams {
        package var input: Int32?
        package var output: Int32?

        package init(input: Int32? = nil, output: Int32? = nil) {
            self.input = input
            self.output = output
        }
    }

    /// Starts `command`. Its output goes to the file `log`, which is emptied first. A program that a killed process has left
    /// may still write there. The program gets its own process group, so that Ctrl-C in a terminal reaches the server
    /// first. `onEnd` runs on any thread.
    package init(
        _ command: [String],
        log: String,
        input: String = "",
        streams: Streams = Streams(),
        folder: String = "/",
        environment: [String: String] = [:],
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws(FileError) {
        name = command[0]
        var settings = SpawnedProgram.Settings()
        settings.folder = folder
        // English messages, without the caller's PGHOST, PGDATA and similar variables.
        settings.environment = Self.environment.merging(environment) { _, added in added }
        let output = try FileDescriptor.own(log, O_WRONLY | O_CREAT | O_APPEND)
        try output.giveToFolderOwner()
        guard ftruncate(output.number, 0) == 0 else { throw FileError("write", log) }
        settings.output = streams.output ?? output.number
        settings.error = output.number
        let text = try Self.pipe(with: input)
        settings.input = streams.input ?? text.number
        // Both must stay open until the program has them.
        defer { _ = (text.number, output.number) }
        do {
            program = try SpawnedProgram(command[0], Array(command.dropFirst()), settings, onEnd: onEnd)
        } catch {
            throw FileError("run", command[0], code: error.code)
        }
    }

    private static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]

    /// Kills the program and the processes in its group.
    package func kill() { Glibc.kill(-program.number, SIGKILL) }

    /// The exit status; nil if the program did not end within `seconds`.
    package func wait(seconds: Double) -> Int32? { program.wait(seconds: seconds) }

    /// Runs a program until it ends. Without a `log`, its output goes to a temporary file.
    package static func run(
        _ command: [String],
        log: String?,
        input: String = "",
        streams: Streams = Streams(),
        folder: String = "/",
        environment: [String: String] = [:],
        seconds: Int
    ) throws -> Result {
        let file = log ?? FileManager.default.temporaryDirectory.path + "/neuroviews-\(UUID().uuidString).log"
        defer { if log == nil { unlink(file) } }
        let child = try ChildProcess(
            command,
            log: file,
            input: input,
            streams: streams,
            folder: folder,
            environment: environment
        )
        return try child.result(log: file, seconds: seconds)
    }

    /// Waits for the end. Kills the program after `seconds`. `log` is the file that it was started with.
    package func result(log: String, seconds: Int) throws(FileError) -> Result {
        guard let status = wait(seconds: Double(seconds)) else {
            kill()
            throw FileError("finish", name, code: ETIMEDOUT)
        }
        return Result(status: status, output: try FileDescriptor.readOwnText(log, maxBytes: 65536))
    }

    /// A pipe with `input` in it; returns the reading end. The input is written before the program starts, so a program
    /// that ends at once cannot cause SIGPIPE here. The kernel's buffer holds 64 KiB.
    private static func pipe(with input: String) throws(FileError) -> FileDescriptor {
        let ends = try PipeEnds()
        try ends.writing.write(Array(input.utf8.prefix(65536)))
        return ends.reading
    }
}
