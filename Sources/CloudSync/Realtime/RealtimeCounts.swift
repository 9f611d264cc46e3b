import Net

/// Counts messages, closed sockets and ended commands, for all loops together.
package final class RealtimeCounts: Sendable {
    /// The direction of a message, seen from the server.
    package enum Direction: String, Sendable { case received, sent }

    private struct Counted: Hashable {
        let direction: String
        let type: String
    }

    private struct State {
        var messages = Dictionary(uniqueKeysWithValues: counted.map { ($0, 0) })
        // Counts begin at 0: a series that appears with its first event has no increase that Prometheus could see.
        var closed = Dictionary(uniqueKeysWithValues: codes.map { ($0, 0) })
        var outcomes = Dictionary(uniqueKeysWithValues: CommandOutcome.all.map { ($0, 0) })
    }

    private static let common = [
        "streaming_started", "streaming_metrics", "streaming_error", "streaming_stopped", "device_status",
        "remote_command", "command_result",
    ]
    private static let counted: [Counted] =
        (common + ["dropped", "invalid"]).map { Counted(direction: Direction.received.rawValue, type: $0) }
        + (common + ["account_changed", "error"]).map { Counted(direction: Direction.sent.rawValue, type: $0) }
    private static let codes = [1000, 1001, 1002, 1005, 1006, 1007, 1008, 1009, 1012, 1013, 4001, 4002]

    private let state = Locked(State())

    package init() {}

    /// Counts a message by its `type`.
    package func add(_ direction: Direction, _ type: String, _ count: Int = 1) {
        state.withLock { $0.messages[Counted(direction: direction.rawValue, type: type), default: 0] += count }
    }

    /// Counts a closed socket by its close code.
    package func addClosed(_ code: Int) {
        // Clients choose codes of their own, and each label lasts.
        let known = Self.codes.contains(code) ? code : 1000
        state.withLock { $0.closed[known, default: 0] += 1 }
    }

    func addOutcome(_ outcome: String, _ count: Int = 1) {
        state.withLock { $0.outcomes[outcome, default: 0] += count }
    }

    /// The messages so far, in a fixed order.
    package var messages: [(direction: String, type: String, count: Int)] {
        state.withLock { $0.messages }.map { ($0.key.direction, $0.key.type, $0.value) }
            .sorted { ($0.direction, $0.type) < ($1.direction, $1.type) }
    }

    /// The closed sockets by code.
    package var closed: [(code: Int, count: Int)] {
        state.withLock { $0.closed }.map { ($0.key, $0.value) }.sorted { $0.code < $1.code }
    }

    /// The ended commands by outcome.
    package var outcomes: [(outcome: String, count: Int)] {
        state.withLock { $0.outcomes }.map { ($0.key, $0.value) }.sorted { $0.outcome < $1.outcome }
    }
}
