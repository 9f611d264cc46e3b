/// The slowest rate of a client's sending or reading when its request has no total time limit.
public struct MinimumRate: Sendable, Hashable {
    /// Bytes a second, at least 1.
    public let bytesPerSecond: Int
    /// The time that a client may pause or fall behind the rate, in milliseconds.
    public let graceMs: UInt64

    /// Traps for a rate below 1.
    public init(bytesPerSecond: Int, graceMs: UInt64 = 30_000) {
        precondition(bytesPerSecond > 0)
        self.bytesPerSecond = bytesPerSecond
        self.graceMs = graceMs
    }
}

/// The amount by which a client may still fall behind its rate. Waiting for the client spends credit, and bytes earn
/// it. It never exceeds the grace: a client can't save up an hour of silence by sending fast before.
struct RateCredit {
    private let bytesPerSecond: Int
    private let full: Int
    /// In thousandths of a byte, so that a millisecond leaves no remainder.
    private var balance: Int

    /// Starts with the whole grace.
    init(_ rate: MinimumRate) {
        bytesPerSecond = rate.bytesPerSecond
        full = Int(rate.graceMs) * rate.bytesPerSecond
        balance = full
    }

    var isSpent: Bool { balance <= 0 }

    /// The time that the client may pause now.
    var remainingMs: UInt64 { UInt64(max(0, balance) / bytesPerSecond) }

    mutating func spend(waitedMs: UInt64, earning bytes: Int) {
        balance = min(full, balance - Int(waitedMs) * bytesPerSecond + bytes * 1000)
    }

    mutating func refill() { balance = full }
}
