import CloudSync
import Net
import Observability
import Settings

/// Background work every five minutes. Deletes expired nonces, sessions, ID tokens, attempts, mailed tokens, master keys and
/// Idempotency-Keys. Deletes old documents, uploads and security events, orphaned files, events without consent, and the rest
/// of erased accounts. Also settles the erasure ledger, and creates and drops the monthly partitions of events.
struct Sweeping: Sendable {
    private let loop: EventLoop
    private let nonces: NonceSweep
    private let sessions: SessionSweep
    private let idTokens: IDTokenSweep
    private let attempts: AttemptSweep
    private let mails: MailSweep
    private let masterKeys: MasterKeySweep
    private let keys: IdempotencyKeySweep
    private let history: HistorySweep
    private let uploads: UploadSweep
    private let orphans: OrphanSweep
    private let erasures: ErasureSweep
    private let months: AnalyticsMonths
    private let accountEvents: AccountEventSweep
    private let accountErasure: AccountErasure
    private let settleLedger: @Sendable () async throws -> Int
    private let erasedAgain: Int
    private let store: StoreIdentity
    private let jobsWaiting: Wakeup
    private let events: EventCounts
    private let log: LogWriter

    private static let everyMs: UInt64 = 300_000

    init(_ backend: Backend, _ settings: Settings, events: EventCounts, log: LogWriter) throws {
        loop = backend.loops[0]
        nonces = NonceSweep(database: backend.database)
        sessions = SessionSweep(database: backend.database)
        idTokens = IDTokenSweep(database: backend.database)
        mails = MailSweep(database: backend.database)
        masterKeys = MasterKeySweep(database: backend.database)
        keys = IdempotencyKeySweep(database: backend.database, lifetimeSeconds: settings.idempotencyKeyLifetimeS)
        // A delta that is being sent may need the version that was current when its request began.
        let settledSeconds = max(600, settings.requestTimeoutMs / 1000 + 60)
        history = HistorySweep(
            database: backend.database,
            limits: settings.retentionLimits,
            settledSeconds: settledSeconds
        )
        uploads = UploadSweep(database: backend.database)
        orphans = OrphanSweep(database: backend.database, storage: backend.storage)
        erasures = ErasureSweep(database: backend.database)
        attempts = AttemptSweep(database: backend.database)
        months = AnalyticsMonths(database: backend.database, settings: settings.events())
        accountEvents = AccountEventSweep(database: backend.database)
        accountErasure = try backend.accountErasure(settings, log)
        settleLedger = { try await backend.settleLedger() }
        erasedAgain = backend.erasedAgain
        store = backend.store
        jobsWaiting = backend.jobsWaiting
        self.events = events
        self.log = log
    }

    /// Starts all tasks at once, each on its own, so that nonces do not wait for a long task.
    func start() {
        let startedMs = Monotonic.nowMs()
        note(erasedAgain: erasedAgain)
        repeated("old nonces") { try await nonces.run() }
        repeated("ended sessions") { try await sessions.run() }
        repeated("used ID tokens") { try await idTokens.run() }
        repeated("attempts and known addresses") { try await attempts.run() }
        repeated("mails") { try await mails.run() }
        repeated("old master keys") { note(forgottenKeys: try await masterKeys.run()) }
        repeated("old idempotency keys") { try await keys.run() }
        repeated("retention") {
            var removed: HistorySweep.Removed
            repeat {
                removed = try await history.run()
                note(removed)
            } while removed.isCut
        }
        repeated("expired uploads") { note(endedUploads: try await uploads.run()) }
        repeated("events without consent") { try await erasures.run() }
        // One after the other: each would wait for the other's locks, and give up.
        repeated("months of events") {
            note(createdMonths: try await months.create())
            note(droppedMonths: try await months.drop())
        }
        repeated("old security events") { try await accountEvents.run() }
        repeated("ledger of erased accounts") { note(erasedAgain: try await settleLedger()) }
        repeated("erased accounts") {
            // A running request counts the accounts that it erases. Right after the start there are no requests yet.
            let age = min(60, (Monotonic.nowMs() - startedMs) / 1000)
            note(erasedAccounts: try await accountErasure.resume(afterSeconds: Int(age)))
        }
        repeated("orphans") {
            // Deletions are final, and another volume may be mounted by now.
            try await store.confirmNow()
            note(try await orphans.run())
        }
    }

    private func repeated(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
        loop.spawn { [loop, log] in
            while true {
                do {
                    try await work()
                } catch {
                    log.write(.error, name, [("failed", .text("\(error)"))])
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
        jobsWaiting.signal()
        log.write(.info, "expired uploads", [("ended", .number(count))])
    }

    private func note(_ removed: OrphanSweep.Removed) {
        guard !removed.isEmpty else { return }
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
