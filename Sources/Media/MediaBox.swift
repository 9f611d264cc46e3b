import Glibc
import Net

/// Runs ffprobe and ffmpeg on files that strangers made, each as a process in a box: with limits, and where the machine allows
/// it without network, other files and other processes.
public struct MediaBox: Sendable {
    /// What keeps the programs from the rest of the machine.
    public let walls: BoxWalls
    /// Why there are no walls; nil where there are.
    public let problem: String?
    let tools: MediaTools
    /// Of probes and thumbnails.
    var limits = BoxLimits()
    private let limitTools: LimitTools
    private let pool: BlockingPool

    /// Tries once which walls this machine allows. A run takes a thread of the pool until it ends, which may be
    /// hours: no other work should wait in it. Nil where there is no
    /// ffprobe and no ffmpeg, or no way to set limits. Throws when no program can be started at all.
    public init?(tools: MediaTools, pool: BlockingPool) async throws {
        guard let limitTools = tools.limits, let trial = tools.ffprobe ?? tools.ffmpeg else { return nil }
        self.tools = tools
        self.limitTools = limitTools
        self.pool = pool
        (walls, problem) = try await Self.trial(of: tools.bubblewrap, with: trial, limitTools, pool)
    }

    /// Runs `program` with the arguments that `arguments` makes of the names of its input and output. Throws `SystemError` or
    /// `MediaBoxError` when this machine can't, `BlockingPool.Full`, and `CancellationError`.
    func run(
        _ program: String,
        input: String,
        output: String? = nil,
        limits: BoxLimits,
        arguments: (_ input: String, _ output: String) -> [String]
    ) async throws -> MediaOutcome<[UInt8]> {
        guard access(input, R_OK) == 0 else { throw SystemError(call: "access", code: errno) }
        let command = command(program, input: input, output: output, limits, arguments: arguments)
        return try await Self.run(command, limits, pool).judged()
    }

    /// What `run` starts.
    func command(
        _ program: String,
        input: String,
        output: String?,
        _ limits: BoxLimits,
        arguments: (_ input: String, _ output: String) -> [String]
    ) -> [String] {
        let names = walls.names(input: input, output: output)
        return limits.command(limitTools) + walls.command(program: program, input: input, output: output)
            + arguments(names.input, names.output)
    }

    private static func run(
        _ command: [String],
        _ limits: BoxLimits,
        _ pool: BlockingPool
    ) async throws -> BoxedRun.End {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await pool.run {
                // It may have waited for a thread.
                guard !cancellation.isCancelled else { throw CancellationError() }
                return try BoxedRun.run(command, limits, cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// The program has to run behind the walls, with all of its libraries.
    private static func trial(
        of bubblewrap: MediaTools.Tool?,
        with program: MediaTools.Tool,
        _ limitTools: LimitTools,
        _ pool: BlockingPool
    ) async throws -> (BoxWalls, problem: String?) {
        guard let bubblewrap else { return (.none, "bubblewrap is not installed") }
        var limits = BoxLimits()
        limits.timeSeconds = 30
        var problem = ""
        for canNest in [false, true] {
            let walls = BoxWalls.namespaces(bubblewrap: bubblewrap.path, canNest: canNest)
            let command = walls.command(program: program.path, input: program.path, output: nil) + ["-version"]
            let end = try await run(limits.command(limitTools) + command, limits, pool)
            if end.status == 0 { return (walls, nil) }
            problem = "bubblewrap failed: \(end.firstLine)"
        }
        return (.none, problem)
    }
}
