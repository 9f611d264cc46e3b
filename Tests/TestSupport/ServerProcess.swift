import Foundation
import Net

/// A `neuroviews-server serve` with its own data folder and PostgreSQL.
package final class ServerProcess: Sendable {
    private struct State: Sendable {
        var process: SpawnedProgram?
        var port: UInt16 = 1
        weak var client: APIClient?
        var adminPort: UInt16 = 0
        var logStart = 0
    }

    /// The folder of data, log and settings; removed at the end of the tests.
    package let folder: String
    private let arguments: [String]
    private let places: [String]
    private let environment: [String: String]
    private let hasAttemptLimits: Bool
    private let awaitsDatabase: Bool
    private let isOwnFolder: Bool
    private let wrapper: [String]
    private let state = Locked(State())
    /// Those of `sql`.
    let sessions = ReusedSessions()
    private static let startSeconds = 90.0

    /// The data folder.
    package var data: String { folder + "/data" }
    /// The log of all starts.
    package var log: String {
        String(decoding: FileManager.default.contents(atPath: folder + "/server.log") ?? Data(), as: UTF8.self)
    }
    /// The client of the running server's public interface. The server runs until both are gone.
    package var client: APIClient {
        state.withLock { state in
            if let client = state.client { return client }
            let client = APIClient(port: state.port, origin: publicOrigin, of: self)
            state.client = client
            return client
        }
    }
    /// A client of the running server's admin interface.
    package var adminClient: APIClient { APIClient(port: state.withLock { $0.adminPort }) }
    /// The ID of the running process; 0 if none runs.
    package var processID: Int32 { state.withLock { $0.process?.number } ?? 0 }

    /// Attempt limits are off by default: all tests log in and register from one address.
    private static let withoutAttemptLimits = Dictionary(
        uniqueKeysWithValues: [
            "LOGIN_FAILURES_MAX", "LOGIN_FAILURES_PER_DEVICE_MAX", "LOGIN_FAILURES_PER_KNOWN_ADDRESS_MAX",
            "LOGIN_FAILURES_PER_ADDRESS_MAX", "REGISTRATIONS_PER_ADDRESS_MAX",
            "WRITES_PER_HOUR_MAX",
        ].map { ("NEUROVIEWS_\($0)", "0") }
    )

    /// Starts a server with more arguments. Returns when it listens, or with `awaitsDatabase` when it answers 503.
    /// Attempts are limited only with `hasAttemptLimits`. Without `isFirstStart`, its private cluster, its secret and the
    /// identity of its store are copies of `DataTemplate`. `wrapper` is a command that becomes the one after it.
    package init(
        _ arguments: [String] = [],
        listening places: [String] = [],
        environment: [String: String] = [:],
        folder: String? = nil,
        hasAttemptLimits: Bool = false,
        awaitsDatabase: Bool = false,
        isFirstStart: Bool = false,
        wrapper: [String] = []
    ) throws {
        self.folder = folder ?? Sandbox.makeFolder()
        self.arguments = arguments
        self.places = places
        self.environment = environment
        self.hasAttemptLimits = hasAttemptLimits
        self.awaitsDatabase = awaitsDatabase
        isOwnFolder = folder == nil
        self.wrapper = wrapper
        let isElsewhere = arguments.contains { Self.otherPlaces.contains($0) }
        if folder == nil, !isFirstStart, !isElsewhere { try DataTemplate.copy(to: data) }
        try start()
    }

    /// Many servers and their databases would take the machine's memory. Logs stay.
    deinit {
        let (process, admin) = (state.withLock { $0.process }, adminClient)
        Thread.detachNewThread { [folder, isOwnFolder] in
            if let process { Self.end(process, admin, folder) }
            if isOwnFolder { Self.removeDatabases(folder + "/data/postgres") }
        }
    }

    /// Ends a server that no test needs any more. Its metrics are searched for secrets, as its logs are.
    private static func end(_ process: SpawnedProgram, _ admin: APIClient, _ folder: String) {
        if Sandbox.areLogsKept, let metrics = try? admin.send("GET", "/metrics") {
            try? metrics.text.write(toFile: folder + "/metrics.log", atomically: true, encoding: .utf8)
        }
        if process.isRunning { _ = Glibc.kill(process.number, SIGTERM) }
        _ = process.wait(seconds: 30)
    }

    /// A killed server left its PostgreSQL running.
    private static func removeDatabases(_ cluster: String) {
        let lines = try? String(contentsOfFile: cluster + "/postmaster.pid", encoding: .utf8).split(separator: "\n")
        if let number = lines?.first.flatMap({ pid_t($0) }),
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")) == cluster
        {
            _ = Glibc.kill(number, SIGQUIT)
        }
        for part in ["base", "pg_wal"] { try? FileManager.default.removeItem(atPath: "\(cluster)/\(part)") }
    }

    private static let otherPlaces = ["--database-url", "--secret-file", "--s3-endpoint"]

    /// Starts the server again on the same data and new ports.
    package func start() throws {
        // Tests search the log in text format.
        let form = arguments.contains("--log-format") ? [] : ["--log-format", "text"]
        var settings = SpawnedProgram.Settings()
        let limits = hasAttemptLimits ? [:] : Self.withoutAttemptLimits
        settings.environment = [Program.environment, limits, environment].reduce([:]) {
            $0.merging($1) { $1 }
        }
        settings.folder = folder
        let errors = try Program.newFile(folder + "/server.log")
        settings.error = errors.fileDescriptor
        let logStart = log.utf8.count
        let options = places + ["--data", data] + form + arguments
        let words = wrapper + [Program.server, "serve"] + options
        let process = try withExtendedLifetime(errors) {
            try SpawnedProgram(words[0], Array(words.dropFirst()), settings)
        }
        try "\(process.number)".write(toFile: folder + "/server.pid", atomically: true, encoding: .utf8)
        state.withLock { state in
            state.process = process
            state.logStart = logStart
        }
        try awaitListening(process)
    }

    /// Waits until the log contains the text: its lines are written after the answers.
    package func awaitLog(_ text: String) throws {
        try Deadline.wait("'\(text)' in the log", seconds: 30) { log.contains(text) }
    }

    /// Stops the server with SIGTERM and waits for its end. Returns the exit status.
    @discardableResult
    package func stop() throws -> Int32 { try end(SIGTERM) }

    /// Kills the server with SIGKILL; its PostgreSQL keeps running.
    package func kill() throws { _ = try end(SIGKILL) }

    /// Sends a signal without waiting.
    package func signal(_ number: Int32) {
        // With process ID 0, the signal would go to the tests themselves.
        if processID > 0 { _ = Glibc.kill(processID, number) }
    }

    /// Waits for the end of the process and returns its exit status, or 128 and the signal's number.
    package func awaitEnd() throws -> Int32 {
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

    /// The origin of the first `--public-url`.
    private var publicOrigin: String? {
        guard let index = arguments.firstIndex(of: "--public-url"), index + 1 < arguments.count else { return nil }
        return arguments[index + 1].split(separator: ",").first.map { String($0.dropLast("/v2".count)) }
    }

    /// Stores the ports; a Unix socket has none.
    private func accept(_ line: Substring) -> Bool {
        let words = line.split(whereSeparator: { " \"}".contains($0) }).suffix(2)
        guard words.count == 2, words.last?.hasPrefix("admin=") == true else { return false }
        let ports = words.map { word in word.split(separator: ":").last.flatMap { UInt16($0) } ?? 1 }
        state.withLock { state in
            state.port = ports[0]
            state.client = nil
            state.adminPort = ports[1]
        }
        return true
    }
}

/// Waits with a deadline.
package enum Deadline {
    /// Polls every 5 ms until `isReached` returns true. Throws after `seconds`, extended by `Patience`.
    package static func wait(_ what: String, seconds: Double, _ isReached: () throws -> Bool) throws {
        let seconds = seconds * Patience.factor
        let end = ContinuousClock.now + .seconds(seconds)
        while try !isReached() {
            guard ContinuousClock.now < end else { throw Program.Failure("Waited \(seconds) s for \(what).") }
            usleep(5000)
        }
    }
}
