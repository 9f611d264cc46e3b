import Glibc
import Net

/// One run of a program in the box, on one thread: the kernel kills the program when its starting thread ends.
struct BoxedRun: ~Copyable {
    /// The reason for killing the program.
    enum Stop {
        case cancelled, timeLimit, outputLimit
    }

    /// The result of a run.
    struct End: Sendable {
        /// The exit status, or 128 and the signal's number; nil if even SIGKILL has not ended the program yet.
        let status: Int32?
        let stop: Stop?
        /// True if it ran long enough to reach its limit of processor time.
        let mayHaveUsedUpCPU: Bool
        let output: [UInt8]
        /// Its standard error, at most 4 KiB.
        let complaint: String
    }

    private static let complaintMaxBytes = 4096
    private static let tickMs: Int32 = 50
    private static let killedWithinMs: UInt64 = 10_000

    private let program: SpawnedProgram
    private let cancellation: Cancellation
    private let deadlineMs: UInt64
    private let cpuEarliestMs: UInt64
    private var output: BoundedPipe
    private var complaint: BoundedPipe
    private var stop: Stop?
    private var giveUpMs = UInt64.max

    /// Runs `command`, with no environment, until its end, its limits or the cancellation. Blocks. Throws `SystemError`
    /// if it can't start.
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
        let startMs = Monotonic.nowMs()
        deadlineMs = startMs + UInt64(limits.timeSeconds * 1000)
        cpuEarliestMs = startMs + limits.cpuShortestMs
    }

    /// Runs one turn. Returns false after the program has ended and all its output was read, or if the program does not
    /// end.
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

    /// Kills the whole process group, but only of a running program: the number of an ended one may be reused.
    private mutating func kill(for reason: Stop) {
        stop = reason
        giveUpMs = Monotonic.nowMs() + Self.killedWithinMs
        if program.isRunning { Glibc.kill(-program.number, SIGKILL) }
    }

    private consuming func end() -> End {
        End(
            status: program.status,
            // A program that ended by itself in the last turn is checked too.
            stop: stop ?? (output.isOverfull ? .outputLimit : nil),
            mayHaveUsedUpCPU: Monotonic.nowMs() >= cpuEarliestMs,
            output: output.bytes,
            complaint: String(decoding: complaint.bytes, as: UTF8.self)
        )
    }
}

/// Signals a run that its result is no longer needed.
final class Cancellation: Sendable {
    private let state = Locked(false)

    var isCancelled: Bool { state.withLock { $0 } }

    func cancel() { state.withLock { $0 = true } }
}
