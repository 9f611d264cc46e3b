import Net
import Synchronization
import TestSupport

/// What all clients of a load saw together.
final class Observations: Sendable {
    struct Counts: Sendable {
        /// Answers by status and problem code.
        var answers: [String: Int] = [:]
        /// Answers that are neither a success nor a proper 503.
        var improper: [String] = []
        /// Connections that ended without an answer, or could not be made.
        var broken: [String] = []
        var slowestMs = 0
    }

    private let counts = Locked(Counts())
    private let acknowledged = Atomic(0)
    private let writing = Atomic(0)
    private let mayStop = Atomic(false)

    var seen: Counts { counts.withLock { $0 } }
    /// How many writes have been acknowledged so far.
    var acknowledgedWrites: Int { acknowledged.load(ordering: .relaxed) }
    var writersRunning: Int { writing.load(ordering: .acquiring) }
    var isStopping: Bool { mayStop.load(ordering: .acquiring) }
    /// Proper 503s.
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

    /// Returns when one more write than now was acknowledged; throws after `seconds`.
    func awaitWrites(_ count: Int = 1, seconds: Double) throws {
        let wanted = acknowledgedWrites + count
        try Deadline.wait("an acknowledged write", seconds: seconds) { acknowledgedWrites >= wanted }
    }
}
