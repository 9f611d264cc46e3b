import Net

/// What the hub holds and has seen.
package struct RealtimeStatistics: Sendable {
    /// The seats by their doors.
    package internal(set) var sockets = 0
    package internal(set) var requests = 0
    /// States and notices that were replaced by newer ones before a socket had taken them.
    package internal(set) var superseded = 0
    /// From the hint to the message.
    package internal(set) var notices = DurationHistogram()
    /// Changes that a sweep found before any hint.
    package internal(set) var repairs = 0
    /// Bytes of states, and of messages that sockets have not written yet.
    package internal(set) var queuedBytes = 0
    /// From a notification to this server's own receipt of it.
    package internal(set) var bus = DurationHistogram()
    package internal(set) var isBusConnected = false

    package init() {}

    mutating func add(_ other: RealtimeStatistics) {
        sockets += other.sockets
        requests += other.requests
        superseded += other.superseded
        notices += other.notices
        repairs += other.repairs
        queuedBytes += other.queuedBytes
        bus += other.bus
    }
}

extension RealtimeAccount {
    func count(in statistics: inout RealtimeStatistics) {
        for seated in seats {
            if seated.seat.isSocket { statistics.sockets += 1 } else { statistics.requests += 1 }
            if seated.seat.turn.isTaken { statistics.queuedBytes += seated.writingBytes }
        }
        statistics.queuedBytes += statesBytes
    }
}
