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

    package var number: Int32 { program.number }
    package var isRunning: Bool { program.isRunning }

    /// The program's descriptors, which replace the input text and the log.
    package struct Streams {
        var input: Int32?
        var output: Int32?

        package init(input: Int32? = nil, output: Int32? = nil) {
            self.input = input
            self.output = output
        }
    }

    /// Starts `command`. Its output goes to the file `log`, which is emptied first. The program gets its own process
    /// group, so that Ctrl-C in a terminal reaches the server first. `onEnd` runs on any thread.
    package init(
        _ command: [String],
        log: String,
        input: String = "",
        streams: Streams = Streams(),
        folder: String = "/",
        environment: [String: String] = [:],
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws(FileError) {
        var settings = SpawnedProgram.Settings()
        settings.folder = folder
        // English messages, without the caller's PGHOST, PGDATA and similar variables.
        settings.environment = Self.environment.merging(environment) { _, added in added }
        let output = try FileDescriptor.own(log, O_WRONLY | O_CREAT)
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

    /// Runs a program until it ends. Without a `log`, its output goes to a temporary file. With `copiesOutput` the
    /// program gets a pipe instead of the output file: a tracer of the program could keep that file's descriptor.
    package static func run(
        _ command: [String],
        log: String?,
        input: String = "",
        streams: Streams = Streams(),
        folder: String = "/",
        environment: [String: String] = [:],
        copiesOutput: Bool = false,
        seconds: Int
    ) throws -> Result {
        let file = log ?? FileManager.default.temporaryDirectory.path + "/neuroviews-\(UUID().uuidString).log"
        defer { if log == nil { unlink(file) } }
        let copied = copiesOutput ? streams.output : nil
        let child = try started(copyingTo: copied, seconds: seconds) { pipe in
            let streams = Streams(input: streams.input, output: pipe ?? streams.output)
            return try ChildProcess(
                command,
                log: file,
                input: input,
                streams: streams,
                folder: folder,
                environment: environment
            )
        }
        guard let status = child.wait(seconds: Double(seconds)) else {
            child.kill()
            throw FileError("finish", command[0], code: ETIMEDOUT)
        }
        return Result(status: status, output: try FileDescriptor.readOwnText(file, maxBytes: 65536))
    }

    /// With an `output`, `start` gets a pipe, whose bytes go there until the program closes it.
    private static func started(
        copyingTo output: Int32?,
        seconds: Int,
        _ start: (_ pipe: Int32?) throws -> ChildProcess
    ) throws -> ChildProcess {
        guard let output else { return try start(nil) }
        let reading = try Reading { try start($0) }
        do {
            try reading.copy(to: output, seconds: seconds)
        } catch {
            reading.child.kill()
            throw error
        }
        return reading.child
    }

    /// A pipe with `input` in it; returns the reading end. The input is written before the program starts, so a program
    /// that ends at once cannot cause SIGPIPE here. The kernel's buffer holds 64 KiB.
    private static func pipe(with input: String) throws(FileError) -> FileDescriptor {
        let ends = try PipeEnds()
        try ends.writing.write(Array(input.utf8.prefix(65536)))
        return ends.reading
    }
}

/// A program and the pipe with its output.
private struct Reading: ~Copyable {
    let child: ChildProcess
    let output: FileDescriptor
    private static let pieceBytes = 1 << 18

    /// `start` gets the writing end, which is closed here after the program has it.
    init(_ start: (Int32) throws -> ChildProcess) throws {
        let ends = try PipeEnds()
        child = try start(ends.writing.number)
        output = ends.reading
    }

    func copy(to file: Int32, seconds: Int) throws(FileError) {
        let deadlineMs = Monotonic.nowMs() + UInt64(seconds) * 1000
        while true {
            var descriptor = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
            guard Monotonic.nowMs() < deadlineMs else { throw FileError("finish", "the program", code: ETIMEDOUT) }
            guard poll(&descriptor, 1, 1000) != 0 else { continue }
            let bytes = try output.readSome(maxBytes: Self.pieceBytes)
            if bytes.isEmpty { return }
            guard StandardStreams.write(bytes, to: file) else { throw FileError("write", "the backup") }
        }
    }
}
