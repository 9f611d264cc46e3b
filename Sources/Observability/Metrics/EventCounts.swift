import CloudSync
import Net
import Postgres
import Synchronization

/// Counts rare events, for all loops together.
package final class EventCounts: Sendable {
    private let connectFailures = Atomic(0)
    private let connectionLosses = Atomic(0)
    private let lineageChangeCount = Atomic(0)
    private let emptiedVersions = Atomic(0)
    private let deletedConflicts = Atomic(0)
    private let processedEvents = Atomic(0)
    private let repeatedEvents = Atomic(0)
    private let refusedEvents = Atomic(0)
    private let resumedUploadCount = Atomic(0)
    private let downloadedByteCount = Atomic(0)
    private let orphanByteCount = Atomic(0)
    private let refusedMedia = Atomic(0)
    private let riskedMedia = Atomic(0)
    /// Messages, sockets and commands.
    package let realtime = RealtimeCounts()
    // Counts begin at 0: a series that appears with its first event has no increase that Prometheus could see.
    private let mailEnds = Locked(Dictionary(uniqueKeysWithValues: MailEnd.allCases.map { ($0.rawValue, 0) }))
    private let jobs = Locked(Dictionary(uniqueKeysWithValues: JobCount.Key.all.map { ($0, JobCount()) }))

    package init() {}

    /// The attempts at jobs of one kind with one outcome.
    struct JobCount {
        struct Key: Hashable {
            let kind: String
            let end: String

            static var all: [Key] {
                JobEvent.kinds.flatMap { kind in JobEnd.allCases.map { Key(kind: kind, end: $0.rawValue) } }
            }
        }
        var count = 0
        var durationMs = 0
    }

    package func add(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed: connectFailures.add(1, ordering: .relaxed)
        case .connectionLost: connectionLosses.add(1, ordering: .relaxed)
        case .lineageChanged: lineageChangeCount.add(1, ordering: .relaxed)
        // The pools count the errors of all statements.
        case .failedAside: break
        }
    }

    package func add(_ event: MailEvent) { mailEnds.withLock { $0[event.end.label.rawValue, default: 0] += 1 } }

    /// Attempts at mails by outcome, in a fixed order.
    var mails: [(end: String, count: Int)] {
        mailEnds.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    package func add(_ event: JobEvent) {
        let key = JobCount.Key(kind: event.kind, end: event.end.label.rawValue)
        jobs.withLock { jobs in
            jobs[key, default: JobCount()].count += 1
            jobs[key, default: JobCount()].durationMs += event.durationMs
        }
    }

    /// In a fixed order.
    var jobCounts: [(key: JobCount.Key, value: JobCount)] {
        jobs.withLock { $0 }.sorted { ($0.key.kind, $0.key.end) < ($1.key.kind, $1.key.end) }
    }

    package func add(_ file: UnwalledFile) {
        if file.isDecoded {
            riskedMedia.add(1, ordering: .relaxed)
        } else {
            refusedMedia.add(1, ordering: .relaxed)
        }
    }

    /// Files without a sandbox, by outcome.
    var unwalledMedia: [(outcome: String, count: Int)] {
        [
            ("refused", refusedMedia.load(ordering: .relaxed)),
            ("decoded", riskedMedia.load(ordering: .relaxed)),
        ]
    }

    package func add(_ removed: HistorySweep.Removed) {
        emptiedVersions.add(removed.versions, ordering: .relaxed)
        deletedConflicts.add(removed.conflicts, ordering: .relaxed)
    }

    package func add(_ removed: OrphanSweep.Removed) { orphanByteCount.add(removed.bytes, ordering: .relaxed) }

    package func add(_ receipt: EventReceipt) {
        processedEvents.add(receipt.processed, ordering: .relaxed)
        repeatedEvents.add(receipt.repeated, ordering: .relaxed)
        refusedEvents.add(receipt.refused.count, ordering: .relaxed)
    }

    package func addResumedUpload() { resumedUploadCount.add(1, ordering: .relaxed) }

    package func addDownloaded(_ bytes: Int) { downloadedByteCount.add(bytes, ordering: .relaxed) }

    /// The number of requests that resumed an upload.
    var resumedUploads: Int { resumedUploadCount.load(ordering: .relaxed) }

    /// Downloaded bytes of recording files.
    var downloadedBytes: Int { downloadedByteCount.load(ordering: .relaxed) }

    /// Removed bytes of the store that belonged to no recording.
    var orphanBytes: Int { orphanByteCount.load(ordering: .relaxed) }

    /// The events of clients by outcome.
    var analytics: [(outcome: String, count: Int)] {
        [
            ("processed", processedEvents.load(ordering: .relaxed)),
            ("repeated", repeatedEvents.load(ordering: .relaxed)),
            ("refused", refusedEvents.load(ordering: .relaxed)),
        ]
    }

    /// Documents that retention removed, by kind.
    var retention: [(kind: String, count: Int)] {
        [
            ("version", emptiedVersions.load(ordering: .relaxed)),
            ("conflict", deletedConflicts.load(ordering: .relaxed)),
        ]
    }

    /// How often this process was the first to find another lineage.
    var lineageChanges: Int { lineageChangeCount.load(ordering: .relaxed) }

    /// Failures of database connections, by reason.
    var database: [(reason: String, count: Int)] {
        [
            ("connect", connectFailures.load(ordering: .relaxed)),
            ("lost", connectionLosses.load(ordering: .relaxed)),
        ]
    }
}

/// How attempts at mails end, as a metric's label.
private enum MailEnd: String, CaseIterable { case sent, postponed, dead, interrupted }

/// How attempts at jobs end, as a metric's label.
private enum JobEnd: String, CaseIterable { case done, postponed, dead, lost, interrupted }

extension MailEvent.End {
    /// The value of the metric's label.
    fileprivate var label: MailEnd {
        switch self {
        case .sent: .sent
        case .postponed: .postponed
        case .dead: .dead
        case .interrupted: .interrupted
        }
    }
}

extension JobEvent.End {
    /// The value of the metric's label.
    fileprivate var label: JobEnd {
        switch self {
        case .done: .done
        case .postponed: .postponed
        case .dead: .dead
        case .lost: .lost
        case .interrupted: .interrupted
        }
    }
}
