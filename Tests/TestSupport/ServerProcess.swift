import Foundation
import Net

/// A `neuroviews-server serve` with a data folder and a PostgreSQL of its own.
public final class ServerProcess: Sendable {
    private struct State: Sendable {
        var process: SpawnedProgram?
        var client: APIClient?
        var adminPort: UInt16 = 0
        var logStart = 0
    }

    /// The folder of data, log and settings; removed with everything else at the end of the tests.
    public let folder: String
    private let arguments: [String]
    private let places: [String]
    private let environment: [String: String]
    private let hasAttemptLimits: Bool
    private let awaitsDatabase: Bool
    private let state = Locked(State())
    private static let startSeconds = 90.0

    /// The data folder.
    public var data: String { folder + "/data" }
    /// The log, of all starts.
    public var log: String {
        String(decoding: FileManager.default.contents(atPath: folder + "/server.log") ?? Data(), as: UTF8.self)
    }
    /// The public interface of the running server.
    public var client: APIClient { state.withLock { $0.client } ?? APIClient(port: 1) }
    /// The admin interface of the running server.
    public var adminClient: APIClient { APIClient(port: state.withLock { $0.adminPort }) }
    /// The number of the running process; 0 when none does.
    public var processID: Int32 { state.withLock { $0.process?.number } ?? 0 }

    /// Where a server listens when nothing else is said: on ports that the kernel chooses.
    public static let anyPorts = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]

    /// Tests log in and register from one address, all the time.
    private static let withoutAttemptLimits = Dictionary(
        uniqueKeysWithValues: [
            "LOGIN_FAILURES_MAX", "LOGIN_FAILURES_PER_DEVICE_MAX", "LOGIN_FAILURES_PER_KNOWN_ADDRESS_MAX",
            "LOGIN_FAILURES_PER_ADDRESS_MAX", "REGISTRATIONS_PER_ADDRESS_MAX",
            "WRITES_PER_HOUR_MAX",
        ].map { ("NEUROVIEWS_\($0)", "0") }
    )

    /// Starts a server with more arguments, and returns when it serves, or with `awaitsDatabase` when it answers 503. Attempts have the usual
    /// limits only where that is said.
    public init(
        _ arguments: [String] = [],
        listening places: [String] = anyPorts,
        environment: [String: String] = [:],
        folder: String? = nil,
        hasAttemptLimits: Bool = false,
        awaitsDatabase: Bool = false
    ) throws {
        self.folder = folder ?? Sandbox.makeFolder()
        self.arguments = arguments
        self.places = places
        self.environment = environment
        self.hasAttemptLimits = hasAttemptLimits
        self.awaitsDatabase = awaitsDatabase
        try start()
    }

    /// Starts the server again, on the same data and another port.
    public func start() throws {
        // What the tests look for in the log is written as people read it.
        let form = arguments.contains("--log-format") ? [] : ["--log-format", "text"]
        var settings = SpawnedProgram.Settings()
        let limits = hasAttemptLimits ? [:] : Self.withoutAttemptLimits
        settings.environment = Program.environment.merging(limits.merging(environment) { $1 }) { $1 }
        settings.folder = folder
        let errors = try Program.newFile(folder + "/server.log")
        settings.error = errors.fileDescriptor
        let logStart = log.utf8.count
        let words = ["serve"] + places + ["--data", data] + form + arguments
        let process = try withExtendedLifetime(errors) { try SpawnedProgram(Program.server, words, settings) }
        try "\(process.number)".write(toFile: folder + "/server.pid", atomically: true, encoding: .utf8)
        state.withLock { state in
            state.process = process
            state.logStart = logStart
        }
        try awaitListening(process)
    }

    /// Asks the server to stop and waits for its end. Returns its exit status.
    @discardableResult
    public func stop() throws -> Int32 { try end(SIGTERM) }

    /// Kills the server; its PostgreSQL goes on.
    public func kill() throws { _ = try end(SIGKILL) }

    /// Sends a signal without waiting.
    public func signal(_ number: Int32) {
        // To 0 it would go to the tests themselves.
        if processID > 0 { _ = Glibc.kill(processID, number) }
    }

    /// Waits for the end of the process and returns its exit status, or 128 and the signal's number.
    public func awaitEnd() throws -> Int32 {
        guard let process = state.withLock({ $0.process }) else { return 0 }
        try Deadline.wait("the end of the server", seconds: 30) { !process.isRunning }
        state.withLock { $0.process = nil }
        return process.status ?? 0
    }

    private func end(_ number: Int32) throws -> Int32 {
        signal(number)
        return try awaitEnd()
    }

    private func awaitListening(_ process: SpawnedProgram) throws {
        try Deadline.wait("a server that listens", seconds: Self.startSeconds) {
            if let line = listeningLine { return accept(line) }
            guard process.isRunning else { throw Program.Failure("The server ended: \(log)") }
            return false
        }
    }

    private var listeningLine: Substring? {
        let start = state.withLock { $0.logStart }
        let text = String(decoding: log.utf8.dropFirst(start), as: UTF8.self)
        guard let last = text.lastIndex(of: "\n") else { return nil }
        let mark = awaitsDatabase ? "answering 503 on " : "listening on "
        return text[..<last].split(separator: "\n").first { $0.contains(mark) }
    }

    /// The published one of those that the server was told.
    private var publicOrigin: String? {
        guard let index = arguments.firstIndex(of: "--public-url"), index + 1 < arguments.count else { return nil }
        return arguments[index + 1].split(separator: ",").first.map { String($0.dropLast("/v2".count)) }
    }

    /// Takes the ports; a Unix socket has none.
    private func accept(_ line: Substring) -> Bool {
        let words = line.split(whereSeparator: { " \"}".contains($0) }).suffix(2)
        guard words.count == 2, words.last?.hasPrefix("admin=") == true else { return false }
        let ports = words.map { word in word.split(separator: ":").last.flatMap { UInt16($0) } ?? 1 }
        state.withLock { state in
            state.client = APIClient(port: ports[0], origin: publicOrigin)
            state.adminPort = ports[1]
        }
        return true
    }
}

/// Waiting without sleeping longer than needed.
public enum Deadline {
    /// Looks again every few milliseconds until `isReached`; throws when that takes more than `seconds`, stretched by
    /// `Patience`.
    public static func wait(_ what: String, seconds: Double, _ isReached: () throws -> Bool) throws {
        let seconds = seconds * Patience.factor
        let end = ContinuousClock.now + .seconds(seconds)
        while try !isReached() {
            guard ContinuousClock.now < end else { throw Program.Failure("Waited \(seconds) s for \(what).") }
            usleep(5000)
        }
    }
}
