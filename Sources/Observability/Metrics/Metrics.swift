import API
import CloudSync
import CommandWords
import HTTP
import Machine
import Net
import Postgres
import Storage

/// Collects the metrics for Prometheus.
package final class Metrics: Sendable {
    private let counts: LoopLocal<LoopCounts>
    let sources: Sources
    let events: EventCounts
    private let log: LogWriter
    private let startedNs = Monotonic.nowNs()
    /// Reading process statistics blocks.
    private let reader: BlockingPool
    private let served = Locked(Served())

    /// Other sources of metrics than requests and events.
    package struct Sources: Sendable {
        let loops: [EventLoop]
        let database: Database
        let storage: ObjectStorage
        let storageErrors: StorageErrorCounts
        /// The clock of the database.
        let clock: ClockWatch
        let largeWork: LargeWork
        /// The number of passwords that wait for the hashing thread.
        let hashesWaiting: @Sendable () -> Int
        /// Nil for a process that serves no sockets.
        let realtime: RealtimeHub?

        package init(
            loops: [EventLoop],
            database: Database,
            storage: ObjectStorage,
            storageErrors: StorageErrorCounts,
            clock: ClockWatch,
            largeWork: LargeWork,
            hashesWaiting: @escaping @Sendable () -> Int,
            realtime: RealtimeHub? = nil
        ) {
            self.loops = loops
            self.database = database
            self.storage = storage
            self.storageErrors = storageErrors
            self.clock = clock
            self.largeWork = largeWork
            self.hashesWaiting = hashesWaiting
            self.realtime = realtime
        }
    }

    private struct Served {
        var labels: [RouteLabel] = []
        var servers: [(listener: String, server: Server)] = []
    }

    private static let lagEveryMs: UInt64 = 500

    package init(_ sources: Sources, events: EventCounts, log: LogWriter) throws {
        self.sources = sources
        self.events = events
        self.log = log
        reader = try BlockingPool(threads: 1, queueMax: 8)
        counts = LoopLocal(sources.loops) { LoopCounts() }
    }

    /// Sets the labels of requests. Events refer to them by index.
    package func name(_ labels: [RouteLabel]) { served.withLock { $0.labels = labels } }

    /// Begins to measure the lag of the loops.
    package func start(_ servers: [(listener: String, server: Server)]) throws {
        served.withLock { $0.servers = servers }
        for loop in sources.loops {
            try BlockingWait.run(on: loop) { [counts] in
                let mine = counts.current
                loop.watchLag(everyMs: Self.lagEveryMs) { mine?.lag.add($0) }
            }
        }
    }

    package func stop() { reader.stop() }

    /// Counts a request, on its loop.
    func add(_ event: RequestEvent, isSlow: Bool) {
        guard let counts = counts.current else { return }
        counts.add(event)
        if isSlow { counts.slow += 1 }
    }

    /// All current metrics in the text format.
    package func text() async throws -> String {
        var text = MetricsText()
        let loops = await counts.gather { $0.snapshot }
        appendService(&text)
        appendRequests(loops, &text)
        await appendConnections(&text)
        appendDatabase(await sources.database.statistics(), &text)
        appendWork(loops, &text)
        await appendRealtime(&text)
        await appendRecordings(uploadedBytes: uploadedBytes(loops), &text)
        appendProcess(try await reader.run { ProcessStatistics.read() }, &text)
        return text.text
    }
}

extension Metrics {
    private func appendService(_ text: inout MetricsText) {
        text.begin("neuroviews_build_info", .gauge, "The version of the server; always 1.")
        text.sample(1, [("version", ServerVersion.current)])
        let uptime = Double(Monotonic.nowNs() - startedNs) / 1e9
        text.single("neuroviews_uptime_seconds", .gauge, "Since the server began to serve.", uptime)
        text.single(
            "neuroviews_log_lines_dropped_total",
            .counter,
            "Log lines that were not written: too many waited, or were of strangers who were refused.",
            log.droppedLines
        )
    }

    private func appendRequests(_ loops: [LoopCounts.Snapshot], _ text: inout MetricsText) {
        let labels = served.withLock { $0.labels }
        // A process without a public listener has no labels.
        guard !labels.isEmpty else { return }
        let used = labels.enumerated().map { index, label in
            (label, Self.sum(loops.compactMap { index < $0.routes.count ? $0.routes[index] : nil }))
        }.filter { !$0.1.statuses.isEmpty }
        func names(_ label: RouteLabel) -> MetricsText.Labels { [("route", label.route), ("method", label.method)] }
        text.begin("neuroviews_http_requests_total", .counter, "Answered requests of the public listener.")
        for (label, route) in used {
            for (code, count) in route.statuses.sorted(by: { $0.code < $1.code }) {
                text.sample(count, names(label) + [("status", String(code))])
            }
        }
        text.begin(
            "neuroviews_http_request_duration_seconds",
            .histogram,
            "From the complete head of a request to its complete answer."
        )
        for (label, route) in used { text.sample(route.durations, names(label)) }
        text.begin("neuroviews_http_request_body_bytes_total", .counter, "Content of requests that was read.")
        for (label, route) in used { text.sample(route.requestBytes, names(label)) }
        text.begin("neuroviews_http_response_body_bytes_total", .counter, "Content of answers.")
        for (label, route) in used { text.sample(route.responseBytes, names(label)) }
        text.single(
            "neuroviews_http_slow_requests_total",
            .counter,
            "Requests that took longer than a second.",
            loops.reduce(0) { $0 + $1.slow }
        )
        text.single(
            "neuroviews_http_answers_cut_off_total",
            .counter,
            "Answers that had begun when it turned out that the rest could not be made.",
            loops.reduce(0) { $0 + $1.cutOff }
        )
    }

    /// Bytes received by upload URLs; nil for a process without a public listener.
    private func uploadedBytes(_ loops: [LoopCounts.Snapshot]) -> Int? {
        let labels = served.withLock { $0.labels }
        let uploads = labels.indices.filter { labels[$0].route == "/v2/uploads/{token}" }
        guard !uploads.isEmpty else { return nil }
        return uploads.flatMap { index in loops.filter { index < $0.routes.count }.map { $0.routes[index].requestBytes }
        }
        .reduce(0, +)
    }

    private static func sum(_ routes: [LoopCounts.Route]) -> LoopCounts.Route {
        routes.reduce(into: LoopCounts.Route()) { $0.add($1) }
    }

    private func appendConnections(_ text: inout MetricsText) async {
        var all: [(listener: String, connections: ConnectionStatistics)] = []
        for (listener, server) in served.withLock({ $0.servers }) {
            all.append((listener, await server.statistics().reduce(into: ConnectionStatistics()) { $0.add($1) }))
        }
        text.append(all)
    }

    private func appendDatabase(_ pools: [PoolStatistics], _ text: inout MetricsText) {
        text.begin("neuroviews_database_connections", .gauge, "Connections to PostgreSQL.")
        for pool in pools {
            for (state, count) in [("idle", pool.idle), ("busy", pool.busy), ("connecting", pool.connecting)] {
                text.sample(count, [("pool", pool.pool), ("state", state)])
            }
        }
        text.begin("neuroviews_database_waiting_requests", .gauge, "Requests that wait for their turn on a connection.")
        for pool in pools { text.sample(pool.waiting, [("pool", pool.pool)]) }
        text.begin("neuroviews_database_wait_seconds", .histogram, "How long requests waited for their turn.")
        for pool in pools { text.sample(pool.waits, [("pool", pool.pool)]) }
        text.begin("neuroviews_database_round_trip_seconds", .histogram, "The time of a batch, without that wait.")
        for pool in pools { text.sample(pool.roundTrips, [("pool", pool.pool)]) }
        appendDatabaseFailures(pools, &text)
    }

    private func appendDatabaseFailures(_ pools: [PoolStatistics], _ text: inout MetricsText) {
        text.begin(
            "neuroviews_database_errors_total",
            .counter,
            "Batches without a result, by kind and class of SQLSTATE."
        )
        for pool in pools {
            let failures = pool.failures.sorted {
                ($0.key.kind, $0.key.sqlstateClass) < ($1.key.kind, $1.key.sqlstateClass)
            }
            for (kind, count) in failures {
                text.sample(count, [("pool", pool.pool), ("kind", kind.kind), ("class", kind.sqlstateClass)])
            }
        }
        text.begin(
            "neuroviews_database_connection_failures_total",
            .counter,
            "Connections that could not be opened, and that broke."
        )
        for (reason, count) in events.database { text.sample(count, [("reason", reason)]) }
        text.single(
            "neuroviews_database_lineage_changes_total",
            .counter,
            "Failovers and restores that this process was the first to notice.",
            events.lineageChanges
        )
    }

    private func appendWork(_ loops: [LoopCounts.Snapshot], _ text: inout MetricsText) {
        text.begin("neuroviews_event_loop_lag_seconds", .histogram, "How late an event loop came to a timer.")
        for (index, loop) in loops.enumerated() { text.sample(loop.lag, [("loop", String(index))]) }
        text.begin("neuroviews_blocking_jobs_waiting", .gauge, "Jobs that wait for a thread that may block.")
        text.sample(sources.hashesWaiting(), [("pool", "hashing")])
        text.sample(sources.largeWork.waitingCount, [("pool", "documents")])
        text.sample(sources.database.connectsWaiting, [("pool", "connecting")])
        text.begin(
            "neuroviews_retention_documents_total",
            .counter,
            "Old documents that were removed, of versions and of conflicts."
        )
        for (kind, count) in events.retention { text.sample(count, [("kind", kind)]) }
        appendClock(&text)
        text.begin(
            "neuroviews_analytics_events_total",
            .counter,
            "Events that clients have sent, by what became of them."
        )
        for (outcome, count) in events.analytics { text.sample(count, [("outcome", outcome)]) }
        text.begin("neuroviews_mails_total", .counter, "Attempts at mails, by how they ended.")
        for (end, count) in events.mails { text.sample(count, [("outcome", end)]) }
    }

    /// Only a server looks at the clock.
    private func appendClock(_ text: inout MetricsText) {
        guard let verdict = sources.clock.verdict else { return }
        text.begin(
            "neuroviews_sweeps_stopped",
            .gauge,
            "1 while nothing is deleted by age, since the database's clock is doubted for that reason."
        )
        for doubt in ClockDoubt.allCases {
            let isReason = if case .doubted(doubt, _) = verdict { true } else { false }
            text.sample(isReason ? 1 : 0, [("reason", doubt.rawValue)])
        }
    }

    private func appendProcess(_ process: ProcessStatistics, _ text: inout MetricsText) {
        text.single("process_cpu_seconds_total", .counter, "User and system time.", process.cpuSeconds)
        text.single("process_resident_memory_bytes", .gauge, "Memory in RAM.", process.residentBytes)
        text.single("process_virtual_memory_bytes", .gauge, "Address space.", process.virtualBytes)
        text.single("process_open_fds", .gauge, "Open file descriptors.", process.openDescriptors)
        text.single("process_max_fds", .gauge, "Most file descriptors that may be open.", process.descriptorsMax)
        text.single("process_threads", .gauge, "Threads.", process.threads)
        text.single("process_start_time_seconds", .gauge, "Unix time of the start.", process.startSeconds)
    }
}
