import Glibc
import Machine
import Net

extension ChildProcess {
    /// Runs a program until it ends. Its output is copied to `streams.output` from a pipe: the program does not get the
    /// file's descriptor, which a tracer of the program could keep.
    static func runCopying(
        _ command: [String],
        in folder: String,
        log: String,
        streams: Streams,
        seconds: Int
    ) throws -> Result {
        guard let output = streams.output else {
            return try run(command, log: log, streams: streams, folder: folder, seconds: seconds)
        }
        let copied = try CopiedOutput { pipe in
            try ChildProcess(command, log: log, streams: Streams(input: streams.input, output: pipe), folder: folder)
        }
        do {
            try copied.copy(to: output, seconds: seconds)
        } catch {
            copied.child.kill()
            throw error
        }
        return try copied.child.result(log: log, seconds: seconds)
    }
}

/// A program and the pipe with its output.
private struct CopiedOutput: ~Copyable {
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
