import CloudSync
import Net
import Observability
import Settings

/// Background work every five minutes: a look at the clock; the sweeps of rows; old documents and orphaned files; the rest
/// of erased accounts and their ledger; the monthly partitions of events.
struct Sweeping: Sendable {
    private let backend: Backend
    private let masterKeys: MasterKeySweep
    private let history: HistorySweep
    private let orphans: OrphanSweep
    private let months: AnalyticsMonths
    private let accountErasure: AccountErasure
    private let events: EventCounts
    private let log: LogWriter

    private static let everyMs: UInt64 = 300_000

    init(_ backend: Backend, _ settings: Settings, events: EventCounts, log: LogWriter) throws {
        self.backend = backend
        masterKeys = MasterKeySweep(database: backend.database)
        // A delta that is being sent may need the version that was current when its request began.
        let settledSeconds = max(600, Int(settings.server.requestTimeoutMs) / 1000 + 60)
        history = HistorySweep(
            database: backend.database,
            limits: settings.retentionLimits,
            settledSeconds: settledSeconds
        )
        orphans = OrphanSweep(
            database: backend.database,
            storage: backend.storage,
            report: log.failure(of: "orphans", in: backend.database)
        )
        months = AnalyticsMonths(database: backend.database, settings: settings.events())
        accountErasure = try backend.accountErasure(settings, log)
        self.events = events
        self.log = log
    }

    /// Starts all tasks at once, each on its own, so that nonces do not wait for a long task.
    func start() {
        let startedMs = Monotonic.nowMs()
        note(erasedAgain: backend.erasedAgain)
        repeated("database clock") { log.write(try await backend.clock.look()) }
        for sweep in Sweep.all where !sweep.needsClock {
            repeated(sweep.name) { try await sweep.run(in: backend.database) }
        }
        startDeletionsByAge()
        // One after the other: each would wait for the other's locks, and give up.
        repeated("months of events") {
            note(createdMonths: try await months.create())
            try await whileTrusted { note(droppedMonths: try await months.drop()) }
        }
        repeated("ledger of erased accounts") { note(erasedAgain: try await backend.settleLedger()) }
        repeated("erased accounts") {
            // A running request counts the accounts that it erases. Right after the start there are no requests yet.
            let age = min(60, (Monotonic.nowMs() - startedMs) / 1000)
            note(erasedAccounts: try await accountErasure.resume(afterSeconds: Int(age)))
        }
    }

    private func startDeletionsByAge() {
        func deleting(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
            repeated(name) { try await whileTrusted(work) }
        }
        for sweep in Sweep.all where sweep.needsClock {
            deleting(sweep.name) { try await sweep.run(in: backend.database) }
        }
        deleting(Sweep.expiredUploads.name) {
            note(endedUploads: try await Sweep.expiredUploads.run(in: backend.database))
        }
        deleting("old master keys") { note(forgottenKeys: try await masterKeys.run()) }
        deleting("retention") {
            var removed: HistorySweep.Removed
            repeat {
                removed = try await history.run()
                note(removed)
            } while removed.isCut
        }
        deleting("orphans") {
            // Deletions are final, and another volume may be mounted by now.
            try await backend.store.confirmNow()
            note(try await orphans.run())
        }
    }

    /// Does nothing while the clock is doubted. Each transaction of the work checks the clock again, since it may jump at
    /// any time.
    private func whileTrusted(_ work: @Sendable () async throws -> Void) async throws {
        guard !backend.clock.isDoubted else { return }
        do { try await work() } catch is ClockDoubted {}
    }

    private func repeated(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
        let loop = backend.loops[0]
        loop.spawn { [log, database = backend.database] in
            while true {
                do {
                    try await work()
                } catch {
                    log.write(failure: error, of: name, in: database)
                }
                await loop.sleep(forMs: Self.everyMs)
            }
        }
    }

    private func note(forgottenKeys ids: [String]) {
        for id in ids { log.write(.info, "old master keys", [("forgotten", .text(id))]) }
    }

    /// A restore, or a failover to a standby that lagged, has brought these accounts back.
    private func note(erasedAgain count: Int) {
        guard count > 0 else { return }
        log.write(.warning, "erased accounts", [("restored", .number(count))])
    }

    private func note(erasedAccounts count: Int) {
        guard count > 0 else { return }
        log.write(.info, "erased accounts", [("ended", .number(count))])
    }

    private func note(createdMonths count: Int) {
        guard count > 0 else { return }
        log.write(.info, "months of events", [("created", .number(count))])
    }

    private func note(droppedMonths months: [String]) {
        for month in months { log.write(.info, "old events", [("dropped", .text(month))]) }
    }

    private func note(endedUploads count: Int) {
        guard count > 0 else { return }
        backend.jobsWaiting.signal()
        log.write(.info, Sweep.expiredUploads.name, [("ended", .number(count))])
    }

    private func note(_ removed: OrphanSweep.Removed) {
        guard !removed.isEmpty else { return }
        events.add(removed)
        log.write(
            .warning,
            "orphans",
            [
                ("objects", .number(removed.objects)), ("uploads", .number(removed.uploads)),
                ("bytes", .number(removed.bytes)),
            ]
        )
    }

    private func note(_ removed: HistorySweep.Removed) {
        guard !removed.isEmpty else { return }
        events.add(removed)
        log.write(
            .info,
            "retention",
            [("versions", .number(removed.versions)), ("conflicts", .number(removed.conflicts))]
        )
    }
}
