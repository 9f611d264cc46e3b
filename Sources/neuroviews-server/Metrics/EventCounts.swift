import Postgres
import Synchronization

/// Events that are rare enough to be counted for all loops together.
final class EventCounts: Sendable {
    private let connectFailures = Atomic(0)
    private let connectionLosses = Atomic(0)

    func add(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed: connectFailures.add(1, ordering: .relaxed)
        case .connectionLost: connectionLosses.add(1, ordering: .relaxed)
        }
    }

    /// By reason.
    var database: [(reason: String, count: Int)] {
        [
            ("connect", connectFailures.load(ordering: .relaxed)),
            ("lost", connectionLosses.load(ordering: .relaxed)),
        ]
    }
}
