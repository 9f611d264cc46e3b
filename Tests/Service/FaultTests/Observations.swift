import Net
import Synchronization
import TestSupport

/// The combined observations of all clients of a load.
final class Observations: Sendable {
    struct Counts: Sendable {
        /// Answers by status and problem code.
        var answers: [String: Int] = [:]
        /// Answers other than a success or a proper 503.
        var improper: [String] = []
        /// Connections that ended without an answer or failed to open.
        var broken: [String] = []
        var slowestMs = 0
    }

    private let counts = Locked(Counts())
    private let acknowledged = Atomic(0)
    private let writing = Atomic(0)
    private let mayStop = Atomic(false)

    var seen: Counts { counts.withLock { $0 } }
    /// The number of acknowledged writes.
    var acknowledgedWrites: Int { acknowledged.load(ordering: .relaxed) }
    var writersRunning: Int { writing.load(ordering: .acquiring) }
    var isStopping: Bool { mayStop.load(ordering: .acquiring) }
    /// The number of proper 503s.
    var refusals: Int { seen.answers.reduce(0) { $0 + ($1.key.hasPrefix("503") ? $1.value : 0) } }

    func stop() { mayStop.store(true, ordering: .releasing) }
    func noteWriters(_ change: Int) { writing.add(change, ordering: .acquiringAndReleasing) }
    func noteAcknowledged() { acknowledged.add(1, ordering: .relaxed) }
    func noteBroken(_ reason: String) { counts.withLock { $0.broken.append(reason) } }

    func note(_ answer: HTTPAnswer, _ duration: Duration) {
        let isProper =
            (200..<300).contains(answer.status)
            || answer.status == 503 && answer.field("retry-after").flatMap { Int($0) } != nil && answer.problem != ""
        counts.withLock { counts in
            counts.answers[answer.verdict, default: 0] += 1
            if !isProper { counts.improper.append("\(answer.verdict) \(answer.text)") }
            counts.slowestMs = max(counts.slowestMs, Int(duration / .milliseconds(1)))
        }
    }

    /// Returns when `count` more writes were acknowledged; throws after `seconds`.
    func awaitWrites(_ count: Int = 1, seconds: Double) throws {
        let wanted = acknowledgedWrites + count
        try Deadline.wait("an acknowledged write", seconds: seconds) { acknowledgedWrites >= wanted }
    }
}
