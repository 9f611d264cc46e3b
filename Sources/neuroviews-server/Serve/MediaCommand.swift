import Glibc
import HTTP
import Machine
import Net
import Observability
import PrivateCluster
import Settings

/// `media`: runs the jobs for recording files beside a server, until SIGTERM or SIGINT. Its only listener is the admin
/// listener, if its address is set. This process can be allowed to make ffmpeg's sandbox while the server's process is not.
struct MediaCommand {
    private let settings: Settings
    private let signals: ProcessSignals
    private let manager: ServiceManager
    private let log: LogWriter
    private let events = EventCounts()
    private let stopping = StopFlag()

    /// Reads the variables of the service manager and sets up signals. Must be called before the first thread.
    init(_ settings: Settings) throws {
        manager = ServiceManager(environment: ServiceManager.takeVariables(), process: getpid())
        signals = ProcessSignals()
        log = LogWriter(level: settings.logLevel, format: settings.logFormat)
        _ = DescriptorLimit.raised()
        self.settings = settings
        guard settings.mediaJobs > 0 else {
            throw CommandFailure("media_jobs is 0, so there is nothing to run: set NEUROVIEWS_MEDIA_JOBS to 2.")
        }
    }

    func run() throws {
        defer { log.flush() }
        manager.status("waiting for the database")
        do {
            let logins = try DatabaseLogins(settings) ?? joined()
            let backend = try backend(logins)
            defer { backend.stop() }
            try run(backend, logins)
        } catch is DatabaseWaiting.Stopped {
            manager.stopping()
            log.write(.info, "stopped")
        }
    }

    /// Waits for the server's PostgreSQL.
    private func joined() throws -> DatabaseLogins {
        do throws(PrivateClusterProblem) {
            return try PrivateCluster.joinRunning(dataDirectory: settings.data) {
                signals.next(withinMs: 0) == .stop
            }
        } catch .stopped {
            throw DatabaseWaiting.Stopped()
        }
    }

    /// Waits for the database. The service manager expects signs of life from the first "ready" on.
    private func backend(_ logins: DatabaseLogins) throws -> Backend {
        let watchdog = Watchdog.started(for: manager, loops: [], log)
        defer { watchdog?.stop() }
        let waiting = DatabaseWaiting(signals, log) { [manager] in
            manager.ready("waiting for the database")
        } reload: {
        }
        return try Backend(settings, logins, loops: 1, for: .media, waiting: waiting) { [log, events] in
            events.add($0)
            log.write($0)
        }
    }

    private func run(_ backend: Backend, _ logins: DatabaseLogins) throws {
        // Servers migrate the database. This process may have been started first.
        if let missing = try backend.wait({ await $0.missing() }) {
            throw CommandFailure("The jobs can't be run yet: \(missing). Start the server first.", status: .busy)
        }
        backend.startKeyWatch(log)
        let metrics = try Metrics(backend.measured, events: events, log: log)
        defer { metrics.stop() }
        let admin = try startAdmin(backend, metrics)
        let jobs = try JobRunning(backend, settings, events: events, log)
        defer { jobs.stop() }
        let announcements = try announcements(logins.background, backend, jobs)
        announcements.start()
        defer { announcements.stop() }
        let watchdog = Watchdog.started(for: manager, loops: backend.loops, log)
        defer { watchdog?.stop() }
        try report(jobs, backend)
        awaitStop()
        if let admin {
            _ = try backend.wait { _ in await admin.drain(timeoutMs: UInt64(Server.adminDrainMaxMs)) }
        }
        log.write(.info, "stopped")
    }

    /// This process writes recordings, and has no sockets.
    private func announcements(
        _ connectionString: String,
        _ backend: Backend,
        _ jobs: JobRunning
    ) throws -> AccountAnnouncements {
        try AccountAnnouncements(connectionString, log, hints: backend.hints, hub: nil, wakeJobs: { jobs.wake() })
    }

    /// Returns nil if it is off.
    private func startAdmin(_ backend: Backend, _ metrics: Metrics) throws -> Server? {
        // The default is the address of the server beside this process.
        let isOwn = settings.adminListen != Settings().adminListen
        guard let listener = try Listeners.open(isOwn ? settings.adminListen : .off, flag: "--admin-listen") else {
            return nil
        }
        let server = try Server(admin: listener, backend, settings, metrics, stopping)
        try metrics.start([("admin", server)])
        try backend.wait { _ in try await server.start() }
        log.write(.info, "listening on \(listener.address)")
        return server
    }

    /// Logs the state of the sandbox, which is the purpose of this process.
    private func report(_ jobs: JobRunning, _ backend: Backend) throws {
        let problem = try backend.wait { [laboratory = jobs.laboratory] _ in try await laboratory.problem() }
        let box = problem.map { ("no_box", LogWriter.Value.text($0)) } ?? ("box", .text("bubblewrap"))
        let count = LogWriter.Value.number(settings.mediaJobs)
        log.write(problem == nil ? .info : .warning, "running jobs", [("at_a_time", count), box])
    }

    private func awaitStop() {
        let status = "running jobs of recordings"
        manager.ready(status)
        while signals.next() == .reload { manager.ready(status) }
        stopping.set()
        manager.stopping()
        log.write(.info, "stopping")
    }
}
