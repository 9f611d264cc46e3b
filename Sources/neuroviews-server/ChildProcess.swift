import Foundation

/// A program started by this one. Blocking; for the way up and down, never for an event loop.
final class ChildProcess: Sendable {
    struct Result {
        /// The exit status, or 128 and the signal's number.
        let status: Int32
        /// Standard output and error together, 64 KiB of them at most.
        let output: String
    }

    private let process: Process
    private let ended = DispatchSemaphore(value: 0)

    var number: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Where a program reads from and writes to, instead of a text and the log.
    struct Streams {
        var input: FileHandle?
        var output: FileHandle?
    }

    /// Starts `command` with its output in the file `log` (made empty first), in a process group of its own: Ctrl-C
    /// in a terminal must reach the server first. `onEnd` runs on any thread.
    init(
        _ command: [String],
        log: String,
        input: String = "",
        streams: Streams = Streams(),
        environment: [String: String] = [:],
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws(FileError) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        // English messages, and none of the caller's PGHOST, PGDATA and the like.
        process.environment = Self.environment.merging(environment) { _, added in added }
        let output = try FileDescriptor(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        let handle = FileHandle(fileDescriptor: output.number, closeOnDealloc: false)
        process.standardOutput = streams.output ?? handle
        process.standardError = handle
        if let stream = streams.input {
            process.standardInput = stream
        } else {
            process.standardInput = Self.pipe(with: input)
        }
        process.terminationHandler = { [ended] _ in
            ended.signal()
            onEnd()
        }
        do {
            try process.run()
        } catch {
            throw FileError("run", command[0], code: Self.code(of: error))
        }
        self.process = process
    }

    private static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]

    /// The status when the program ended within `seconds`, and nil otherwise.
    func wait(seconds: Double) -> Int32? {
        guard ended.wait(timeout: .now() + seconds) == .success else { return nil }
        ended.signal()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Runs a program to its end. Without a `log` its output passes through a file that is removed.
    static func run(
        _ command: [String],
        log: String?,
        input: String = "",
        environment: [String: String] = [:],
        seconds: Int
    ) throws -> Result {
        let file = log ?? NSTemporaryDirectory() + "neuroviews-\(UUID().uuidString).log"
        defer { if log == nil { unlink(file) } }
        let child = try ChildProcess(command, log: file, input: input, environment: environment)
        guard let status = child.wait(seconds: Double(seconds)) else {
            kill(child.number, SIGKILL)
            throw FileError("finish", command[0], code: ETIMEDOUT)
        }
        return Result(status: status, output: try FileDescriptor.readText(file, maxBytes: 65536))
    }

    /// Written before the program starts, so that a program that ends at once can't raise SIGPIPE here: the
    /// kernel's buffer holds 64 KiB.
    private static func pipe(with input: String) -> Pipe {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(input.utf8.prefix(65536)))
        try? pipe.fileHandleForWriting.close()
        return pipe
    }

    private static func code(of error: any Error) -> Int32 {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        return error.code == CocoaError.fileNoSuchFile.rawValue ? ENOENT : EACCES
    }
}
