import API
import CloudSync
import Glibc
import HTTP
import Machine
import Net
import Observability
import PrivateCluster
import Settings

/// `serve`: runs the server until SIGTERM or SIGINT.
struct ServeCommand {
    private let settings: Settings
    private let signals: ProcessSignals
    private let manager: ServiceManager
    private let inherited: InheritedSockets
    private let log: LogWriter
    private let stopping = StopFlag()
    private let events = EventCounts()

    /// Reads the variables of the service manager and sets up signals. Must be called before the first thread.
    init(_ settings: Settings) throws {
        let variables = ServiceManager.takeVariables()
        signals = ProcessSignals()
        manager = ServiceManager(environment: variables, process: getpid())
        inherited = try InheritedSockets(environment: variables, process: getpid())
        let log = LogWriter(level: settings.logLevel, format: settings.logFormat)
        self.log = log
        self.settings = DescriptorLimit.raised().fitted(settings) { log.write(.error, $0) }
    }

    func run() throws {
        defer { log.flush() }
        try checkPublicURL()
        let tls = try settings.tlsFiles.map { try ServedCertificate($0, settings, log) }
        manager.status("starting the database")
        let database = try StartedDatabase(settings) { [log] in log.write($0) }
        let (logins, cluster) = (database.logins, database.cluster)
        defer { cluster?.stop() }
        signals.beforeAbort { cluster?.endUnattended() }
        let listeners = try Listeners.open(settings, inherited)
        cluster?.note(listeners.addresses)
        do {
            let waiting = try WaitingServers(settings, listeners, tls, publicURL: publicURL(listeners), manager, log)
            // Also when they have stopped, which does nothing.
            defer { waiting.stop() }
            // From now on PostgreSQL may be killed at any moment: it is started again, and waited for.
            cluster?.supervise()
            let backend = try backend(logins, waiting, tls)
            defer { backend.stop() }
            try serve(backend, logins, listeners, tls, waiting)
        } catch is DatabaseWaiting.Stopped {
            manager.stopping()
            log.write(.info, "stopped")
        }
    }

    private func backend(
        _ logins: DatabaseLogins,
        _ servers: WaitingServers,
        _ tls: ServedCertificate?
    ) throws -> Backend {
        let waiting = DatabaseWaiting(signals, log, begin: servers.begin, reload: { reload(tls) })
        let loops = settings.eventLoops
        return try Backend(settings, logins, loops: loops, for: .server, waiting: waiting) { [log, events] in
            events.add($0)
            log.write($0)
        }
    }

    private func serve(
        _ backend: Backend,
        _ logins: DatabaseLogins,
        _ listeners: Listeners,
        _ tls: ServedCertificate?,
        _ waiting: WaitingServers
    ) throws {
        warn(backend, logins)
        let metrics = try Metrics(backend.measured, events: events, log: log)
        defer { metrics.stop() }
        let realtime = backend.realtimeServices(settings, events.realtime, log)
        let servers = try startServers(backend, realtime, listeners, tls, metrics)
        waiting.stop()
        backend.startKeyWatch(log)
        StoreStart(backend, log).begin()
        try Sweeping(backend, settings, events: events, log: log).start()
        let jobs = try JobRunning(backend, settings, events: events, log)
        defer { jobs.stop() }
        let mails = try MailRunning(backend, settings, events: events, log)
        defer { mails?.stop() }
        let announcements = try announcements(logins.background, backend, jobs)
        announcements?.start()
        defer { announcements?.stop() }
        backend.realtime?.start()
        tls?.watchExpiry(on: backend.loops[0])
        let watchdog = Watchdog.started(for: manager, loops: backend.loops, log)
        defer { watchdog?.stop() }
        serveUntilStopped(listeners, tls)
        try stop(servers, backend, realtime)
        // Before the last hints are sent.
        if let hub = backend.realtime { try backend.wait { _ in await hub.stop() } }
    }

    /// Of what makes the server weaker, and does not keep it from serving.
    private func warn(_ backend: Backend, _ logins: DatabaseLogins) {
        if let problem = backend.commonPasswords.problem {
            log.write(.warning, "common passwords", [("not_refused", .text(problem))])
        }
        if logins.isOneForAll {
            log.write(
                .warning,
                "roles",
                [("not_separated", .text("one login serves for requests and for all else: see doctor"))]
            )
        }
        if settings.mediaJobs == 0 { reportJobs(backend) }
        backend.openID.report { [log] name, error in
            log.write(.warning, "openid provider", [("name", .text(name)), ("failed", .text("\(error)"))])
        }
    }

    /// Another server or a media process may have workers on this database.
    private func reportJobs(_ backend: Backend) {
        do {
            guard try backend.wait({ try await RecordingFigures.read($0.database).workers }) == 0 else { return }
            let reason = "media_jobs is 0: uploads stay unverified until neuroviews-server media runs"
            log.write(.info, "jobs", [("not_run", .text(reason))])
        } catch {
            log.write(failure: error, of: "jobs", in: backend.database)
        }
    }

    /// Nil: there is nothing to tell other processes, or to hear of them.
    private func announcements(
        _ connectionString: String,
        _ backend: Backend,
        _ jobs: JobRunning
    ) throws -> AccountAnnouncements? {
        // With files in S3, this process can run jobs of other servers.
        let hearsOfJobs = settings.s3Endpoint != nil && settings.mediaJobs > 0
        guard hearsOfJobs || backend.hints != nil else { return nil }
        let wake: @Sendable () -> Void = { jobs.wake() }
        return try AccountAnnouncements(
            connectionString,
            log,
            hints: backend.hints,
            hub: backend.realtime,
            wakeJobs: hearsOfJobs ? wake : nil
        )
    }

    private func startServers(
        _ backend: Backend,
        _ realtime: RealtimeServices?,
        _ listeners: Listeners,
        _ tls: ServedCertificate?,
        _ metrics: Metrics
    ) throws -> [Server] {
        var servers = [try publicServer(backend, realtime, listeners, tls, metrics)]
        if let admin = listeners.admin {
            servers.append(try Server(admin: admin, backend, settings, metrics, stopping))
        }
        try metrics.start(Array(zip(["public", "admin"], servers)))
        for server in servers { try backend.wait { _ in try await server.start() } }
        let scheme = tls == nil ? "" : "https://"
        let admin = listeners.admin?.address.description ?? "off"
        log.write(.info, "listening on \(scheme)\(listeners.main.address) admin=\(admin)")
        return servers
    }

    private func publicServer(
        _ backend: Backend,
        _ realtime: RealtimeServices?,
        _ listeners: Listeners,
        _ tls: ServedCertificate?,
        _ metrics: Metrics
    ) throws -> Server {
        let publicURL = try publicURL(listeners)
        let observer = RequestObserver(settings, log: log, metrics: metrics)
        let application = try backend.application(
            settings,
            publicURL: publicURL,
            realtime: realtime,
            events: events,
            log: log,
            report: observer.note
        )
        metrics.name(application.routeLabels)
        return Server(
            listeners.main,
            loops: backend.loops,
            limits: settings.server,
            tls: tls?.endpoint,
            fixedFields: application.fixedFields,
            pageFields: application.pageFields,
            // Closures, because a method reference would be bound to its application anew for each call.
            refusal: { application.refuse($0, $1) },
            handler: { await application.respond(to: $0) },
            completion: { application.complete($0, $1) }
        )
    }

    private func publicURL(_ listeners: Listeners) throws -> String {
        guard let publicURL = settings.publicURL(listeningOn: listeners.mainAddress) else { throw Self.noPublicURL }
        return publicURL
    }

    private static let noPublicURL = CommandFailure(
        "A Unix socket has no URL: say with NEUROVIEWS_PUBLIC_URL which one clients write, such as https://example.org/v2."
    )

    /// Checked before anything is started that would have to be stopped.
    private func checkPublicURL() throws {
        guard inherited.main == nil, settings.publicURL(listeningOn: settings.listen) == nil else { return }
        throw Self.noPublicURL
    }
}

// MARK: Serving and stopping

extension ServeCommand {
    private func serveUntilStopped(_ listeners: Listeners, _ tls: ServedCertificate?) {
        let status = "serving on \(listeners.main.address)"
        manager.ready(status)
        while signals.next() == .reload {
            manager.reloading()
            reload(tls)
            manager.ready(status)
        }
    }

    /// Handles SIGHUP: reads the certificate again.
    private func reload(_ tls: ServedCertificate?) {
        guard let tls else {
            return log.write(.info, "reload asked for: without TLS nothing changes without a restart")
        }
        tls.reload()
    }

    /// The admin listener stops last: until then it reports that the server is not ready.
    private func stop(_ servers: [Server], _ backend: Backend, _ realtime: RealtimeServices?) throws {
        stopping.set()
        manager.stopping()
        log.write(.info, "stopping")
        realtime?.stop()
        var timeoutMs = settings.drainTimeoutMs
        for server in servers {
            let cutOff = try backend.wait { [timeoutMs] _ in await server.drain(timeoutMs: UInt64(timeoutMs)) }
            if cutOff > 0 { log.write(.error, "connections cut_off=\(cutOff)") }
            timeoutMs = min(timeoutMs, Server.adminDrainMaxMs)
        }
        log.write(.info, "stopped")
    }
}
