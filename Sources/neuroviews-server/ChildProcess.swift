import FoundationEssentials
import Glibc
import Net

/// A program started by this one. Blocking; for the way up and down, never for an event loop.
final class ChildProcess: Sendable {
    struct Result {
        /// The exit status, or 128 and the signal's number.
        let status: Int32
        /// Standard output and error together, 64 KiB of them at most.
        let output: String
    }

    private let program: SpawnedProgram

    var number: Int32 { program.number }
    var isRunning: Bool { program.isRunning }

    /// Where a program reads from and writes to, instead of a text and the log.
    struct Streams {
        var input: Int32?
        var output: Int32?
    }

    /// Starts `command` with its output in the file `log` (made empty first), in a process group of its own: Ctrl-C
    /// in a terminal must reach the server first. `onEnd` runs on any thread.
    init(
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
        // English messages, and none of the caller's PGHOST, PGDATA and the like.
        settings.environment = Self.environment.merging(environment) { _, added in added }
        let output = try FileDescriptor.own(log, O_WRONLY | O_CREAT)
        try output.giveToFolderOwner()
        guard ftruncate(output.number, 0) == 0 else { throw FileError("write", log) }
        settings.output = streams.output ?? output.number
        settings.error = output.number
        let text = try Self.pipe(with: input)
        settings.input = streams.input ?? text.number
        // Both are to be open until the program has them.
        defer { _ = (text.number, output.number) }
        do {
            program = try SpawnedProgram(command[0], Array(command.dropFirst()), settings, onEnd: onEnd)
        } catch {
            throw FileError("run", command[0], code: error.code)
        }
    }

    private static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]

    /// Ends the program and what it has started, which is in its process group.
    func kill() { Glibc.kill(-program.number, SIGKILL) }

    /// The status when the program ended within `seconds`, and nil otherwise.
    func wait(seconds: Double) -> Int32? { program.wait(seconds: seconds) }

    /// Runs a program to its end. Without a `log` its output passes through a file that is removed. `copiesOutput`: the program gets a pipe instead of the
    /// output's file, which whoever can trace it would have for good.
    static func run(
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
        func start(_ output: Int32?) throws -> ChildProcess {
            let streams = Streams(input: streams.input, output: output)
            return try ChildProcess(
                command,
                log: file,
                input: input,
                streams: streams,
                folder: folder,
                environment: environment
            )
        }
        let child: ChildProcess
        if copiesOutput, let output = streams.output {
            let reading = try Reading { try start($0) }
            child = reading.child
            do {
                try reading.copy(to: output, seconds: seconds)
            } catch {
                child.kill()
                throw error
            }
        } else {
            child = try start(streams.output)
        }
        guard let status = child.wait(seconds: Double(seconds)) else {
            child.kill()
            throw FileError("finish", command[0], code: ETIMEDOUT)
        }
        return Result(status: status, output: try FileDescriptor.readOwnText(file, maxBytes: 65536))
    }

    /// The end to read from. Written before the program starts, so that a program that ends at once can't raise SIGPIPE here: the
    /// kernel's buffer holds 64 KiB.
    private static func pipe(with input: String) throws(FileError) -> FileDescriptor {
        let ends = try PipeEnds()
        try ends.writing.write(Array(input.utf8.prefix(65536)))
        return ends.reading
    }
}

/// A program and the pipe that it writes to.
private struct Reading: ~Copyable {
    let child: ChildProcess
    let output: FileDescriptor
    private static let pieceBytes = 1 << 18

    /// `start` gets the end to write to, which is closed here when the program has it.
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
