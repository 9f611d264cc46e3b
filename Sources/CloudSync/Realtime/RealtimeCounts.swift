import Net
import Synchronization

/// Counts messages, closed sockets and ended commands, for all loops together.
package final class RealtimeCounts: Sendable {
    /// The direction of a message, seen from the server.
    package enum Direction: String, CaseIterable, Sendable { case received, sent }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private struct State {
        // Counts begin at 0: a series that appears with its first event has no increase that Prometheus could see.
        var closed = Dictionary(uniqueKeysWithValues: codes.map { (String($0), 0) } + [(otherCode, 0)])
        var outcomes = Dictionary(uniqueKeysWithValues: CommandOutcome.all.map { ($0, 0) })
    }

    private static let codes = [1000, 1001, 1002, 1005, 1006, 1007, 1008, 1009, 1012, 1013, 4001, 4002]
    private static let otherCode = "other"

    /// By the numbers of the labels.
    private let received = MessageLabel.allCases.map { _ in Count() }
    private let sent = MessageLabel.allCases.map { _ in Count() }
    private let state = Locked(State())

    package init() {}

    /// Counts a message.
    package func add(_ direction: Direction, _ label: MessageLabel) {
        counts(direction)[label.rawValue].value.add(1, ordering: .relaxed)
    }

    private func counts(_ direction: Direction) -> [Count] { direction == .received ? received : sent }

    /// Counts a closed socket by its close code.
    package func addClosed(_ code: Int) {
        // Clients choose codes of their own, and each label lasts.
        let label = Self.codes.contains(code) ? String(code) : Self.otherCode
        state.withLock { $0.closed[label, default: 0] += 1 }
    }

    func addOutcome(_ outcome: String, _ count: Int = 1) {
        state.withLock { $0.outcomes[outcome, default: 0] += count }
    }

    /// The messages so far, in a fixed order.
    package var messages: [(direction: String, type: String, count: Int)] {
        Direction.allCases.flatMap { direction in
            let labels = MessageLabel.allCases.filter { $0.isCounted(direction) }.sorted { $0.name < $1.name }
            return labels.map { label in
                let count = counts(direction)[label.rawValue].value.load(ordering: .relaxed)
                return (direction: direction.rawValue, type: label.name, count: count)
            }
        }
    }

    /// The closed sockets by code; `other` has those of clients' own codes.
    package var closed: [(code: String, count: Int)] {
        state.withLock { $0.closed }.map { ($0.key, $0.value) }.sorted { $0.code < $1.code }
    }

    /// The ended commands by outcome.
    package var outcomes: [(outcome: String, count: Int)] {
        state.withLock { $0.outcomes }.map { ($0.key, $0.value) }.sorted { $0.outcome < $1.outcome }
    }
}

extension MessageLabel {
    /// False for a label that no message of that direction has.
    fileprivate func isCounted(_ direction: RealtimeCounts.Direction) -> Bool {
        switch self {
        case .accountChanged, .error: direction == .sent
        case .dropped, .invalid: direction == .received
        default: true
        }
    }
}
