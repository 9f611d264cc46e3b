/// How long a batch took, in nanoseconds. Batches on one connection follow each other, so a later one first waits for the earlier ones: that wait
/// says how busy the connection is, not what the batch costs.
struct BatchTimes {
    /// The wait for a connection, and behind the batches that were sent on it before.
    var waitNs: UInt64 = 0
    /// The time since PostgreSQL could begin with it.
    var ownNs: UInt64 = 0

    /// What shares take turns by; nil if it never began.
    var costNs: UInt64? { ownNs > 0 ? ownNs : nil }

    /// Adds the times of another batch of the same lease.
    mutating func add(_ other: BatchTimes) {
        waitNs += other.waitNs
        ownNs += other.ownNs
    }
}
