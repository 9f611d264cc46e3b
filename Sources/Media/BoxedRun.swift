import Glibc
import Net

/// One run of a program in the box, from start to end, on one thread: the program ends with the thread that started it.
struct BoxedRun: ~Copyable {
    /// Why the program was killed here.
    enum Stop {
        case cancelled, timeLimit, outputLimit
    }

    /// What is left of a run.
    struct End: Sendable {
        /// The exit status, or 128 and the signal's number; nil for a program that not even SIGKILL has ended yet.
        let status: Int32?
        let stop: Stop?
        let output: [UInt8]
        /// What it wrote to standard error, 4 KiB at most.
        let complaint: String
    }

    private static let complaintMaxBytes = 4096
    private static let tickMs: Int32 = 50
    private static let killedWithinMs: UInt64 = 10_000

    private let program: SpawnedProgram
    private let cancellation: Cancellation
    private let deadlineMs: UInt64
    private var output: BoundedPipe
    private var complaint: BoundedPipe
    private var stop: Stop?
    private var giveUpMs = UInt64.max

    /// Runs `command`, with no environment, to its end, its limits or the cancellation. Blocks. Throws `SystemError` when it
    /// can't be started.
    static func run(
        _ command: [String],
        _ limits: BoxLimits,
        _ cancellation: Cancellation
    ) throws(SystemError) -> End {
        var run = try BoxedRun(command, limits, cancellation)
        while run.goOn() {}
        return run.end()
    }

    private init(_ command: [String], _ limits: BoxLimits, _ cancellation: Cancellation) throws(SystemError) {
        var output = try BoundedPipe(maxBytes: limits.outputBytes)
        var complaint = try BoundedPipe(maxBytes: Self.complaintMaxBytes)
        var settings = SpawnedProgram.Settings()
        settings.folder = "/"
        settings.output = output.writingEnd
        settings.error = complaint.writingEnd
        program = try SpawnedProgram(command[0], Array(command.dropFirst()), settings)
        output.closeWritingEnd()
        complaint.closeWritingEnd()
        self.output = output
        self.complaint = complaint
        self.cancellation = cancellation
        deadlineMs = Monotonic.nowMs() + UInt64(limits.timeSeconds * 1000)
    }

    /// One turn. Returns false when the program has ended and all that it wrote was read, or when it does not end.
    private mutating func goOn() -> Bool {
        if stop == nil, let reason = reasonToStop() { kill(for: reason) }
        let isRunning = program.isRunning
        var waiting = [output.waiting, complaint.waiting]
        poll(&waiting, 2, isRunning ? Self.tickMs : 0)
        let (hasOutput, hasComplaint) = (output.read(), complaint.read())
        return hasOutput || hasComplaint || (isRunning && Monotonic.nowMs() < giveUpMs)
    }

    private func reasonToStop() -> Stop? {
        if cancellation.isCancelled { return .cancelled }
        if output.isOverfull { return .outputLimit }
        return Monotonic.nowMs() >= deadlineMs ? .timeLimit : nil
    }

    /// With its whole process group. Only what runs is killed: the number of an ended program may be another's.
    private mutating func kill(for reason: Stop) {
        stop = reason
        giveUpMs = Monotonic.nowMs() + Self.killedWithinMs
        if program.isRunning { Glibc.kill(-program.number, SIGKILL) }
    }

    private consuming func end() -> End {
        End(
            status: program.status,
            // What ended by itself in the last turn is judged too.
            stop: stop ?? (output.isOverfull ? .outputLimit : nil),
            output: output.bytes,
            complaint: String(decoding: complaint.bytes, as: UTF8.self)
        )
    }
}

/// Tells a run that nobody wants its result any more.
final class Cancellation: Sendable {
    private let state = Locked(false)

    var isCancelled: Bool { state.withLock { $0 } }

    func cancel() { state.withLock { $0 = true } }
}
