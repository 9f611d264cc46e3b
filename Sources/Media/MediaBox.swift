import Glibc
import Net

/// Runs ffprobe, ffmpeg and libheif's programs on untrusted files, each as a process in a box. The box sets limits. If
/// the machine allows it, it also hides the network, other files and other processes.
package struct MediaBox: Sendable {
    /// The isolation of the programs.
    package let walls: BoxWalls
    /// The reason for having no isolation, where that is allowed; nil with isolation.
    package let problem: String?
    let tools: MediaTools
    /// The limits of probes and thumbnails.
    var limits = BoxLimits()
    private let limitTools: LimitTools
    private let pool: BlockingPool

    /// Tries once which isolation this machine allows. A run occupies a thread of the pool until its end, possibly for
    /// hours. Don't use the pool for other work. Nil without ffprobe and ffmpeg, or without a way to set limits. Throws
    /// `MissingWalls` if there is no isolation, unless `allowsNoWalls`, and other errors if no program can be started.
    package init?(tools: MediaTools, pool: BlockingPool, allowsNoWalls: Bool = false) async throws {
        guard let limitTools = tools.limits, let program = tools.ffprobe ?? tools.ffmpeg else { return nil }
        let (walls, problem) = try await Self.trial(of: tools.bubblewrap, with: program, limitTools, pool)
        if let problem, !allowsNoWalls { throw MissingWalls(description: problem) }
        self.tools = tools
        self.limitTools = limitTools
        self.pool = pool
        (self.walls, self.problem) = (walls, problem)
    }

    /// True if the programs that measure and show such a file were found.
    package func canExamine(_ file: MediaFile) -> Bool { tools.canExamine(file) }

    /// Runs `program`. `arguments` gets the names of input and output in the box. Throws `SystemError` or
    /// `MediaBoxError` for errors of this machine, `BlockingPool.Full`, and `CancellationError`.
    func run(
        _ program: String,
        input: String,
        output: String? = nil,
        limits: BoxLimits,
        arguments: (_ input: String, _ output: String) -> [String]
    ) async throws -> MediaOutcome<[UInt8]> {
        try await end(program, input: input, output: output, limits: limits, arguments: arguments).judged()
    }

    /// The same, for callers that judge the end of the run themselves.
    func end(
        _ program: String,
        input: String,
        output: String? = nil,
        limits: BoxLimits,
        arguments: (_ input: String, _ output: String) -> [String]
    ) async throws -> BoxedRun.End {
        guard access(input, R_OK) == 0 else { throw SystemError(call: "access", code: errno) }
        let command = command(program, input: input, output: output, limits, arguments: arguments)
        return try await Self.run(command, limits, pool)
    }

    /// The command of `run`.
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
                // The job may have waited for a thread.
                guard !cancellation.isCancelled else { throw CancellationError() }
                return try BoxedRun.run(command, limits, cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Tries to run the program, with all its libraries, in the isolation.
    private static func trial(
        of bubblewrap: MediaTools.Tool?,
        with program: MediaTools.Tool,
        _ limitTools: LimitTools,
        _ pool: BlockingPool
    ) async throws -> (BoxWalls, problem: String?) {
        guard let bubblewrap else { return (.none, "bubblewrap is not installed, or does not start") }
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
