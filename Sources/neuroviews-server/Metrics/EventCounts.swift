import CloudSync
import Postgres
import Synchronization

/// Events that are rare enough to be counted for all loops together.
final class EventCounts: Sendable {
    private let connectFailures = Atomic(0)
    private let connectionLosses = Atomic(0)
    private let emptiedVersions = Atomic(0)
    private let deletedConflicts = Atomic(0)

    func add(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed: connectFailures.add(1, ordering: .relaxed)
        case .connectionLost: connectionLosses.add(1, ordering: .relaxed)
        }
    }

    func add(_ removed: Retention.Removed) {
        emptiedVersions.add(removed.versions, ordering: .relaxed)
        deletedConflicts.add(removed.conflicts, ordering: .relaxed)
    }

    /// Documents that retention took, by what they were.
    var retention: [(kind: String, count: Int)] {
        [
            ("version", emptiedVersions.load(ordering: .relaxed)),
            ("conflict", deletedConflicts.load(ordering: .relaxed)),
        ]
    }

    /// By reason.
    var database: [(reason: String, count: Int)] {
        [
            ("connect", connectFailures.load(ordering: .relaxed)),
            ("lost", connectionLosses.load(ordering: .relaxed)),
        ]
    }
}
