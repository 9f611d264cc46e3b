import Net

/// What the pools of one kind hold and have seen, over all loops.
public struct PoolStatistics: Sendable {
    /// `read`, `large_read`, `write` or `background`.
    public let pool: String
    /// Connections that carry nothing.
    public internal(set) var idle = 0
    /// Connections that carry at least one batch.
    public internal(set) var busy = 0
    /// Connections that are being opened.
    public internal(set) var connecting = 0
    /// Requests that wait for a connection now.
    public internal(set) var waiting = 0
    /// How long requests waited for their turn on a connection, also behind earlier batches on it.
    public internal(set) var waits = DurationHistogram()
    /// The time of a batch, without the wait behind earlier ones.
    public internal(set) var roundTrips = DurationHistogram()
    /// Failures by their kind.
    public internal(set) var failures: [DatabaseFailureKind: Int] = [:]

    init(_ pool: String) { self.pool = pool }

    mutating func add(_ other: PoolStatistics) {
        idle += other.idle
        busy += other.busy
        connecting += other.connecting
        waiting += other.waiting
        waits += other.waits
        roundTrips += other.roundTrips
        failures.merge(other.failures, uniquingKeysWith: +)
    }
}

/// Kinds of failure, few enough to be counted one by one.
public struct DatabaseFailureKind: Sendable, Hashable {
    /// `refused`, `unavailable`, `lost` or `unusable`.
    public let kind: String
    /// The first two characters of the SQLSTATE, which name its class; empty unless refused.
    public let sqlstateClass: String

    init(_ error: DatabaseError) {
        switch error {
        case .refused(let refusal):
            kind = "refused"
            sqlstateClass = String(refusal.state.prefix(2))
        case .unavailable:
            kind = "unavailable"
            sqlstateClass = ""
        case .connectionLost:
            kind = "lost"
            sqlstateClass = ""
        case .unusable:
            kind = "unusable"
            sqlstateClass = ""
        }
    }
}
