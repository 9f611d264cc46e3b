/// How fast a client must send or read when its request has no total time limit.
public struct MinimumRate: Sendable, Hashable {
    /// Bytes a second, at least 1.
    public let bytesPerSecond: Int
    /// How long a client may pause, and how far it may fall behind the rate, in milliseconds.
    public let graceMs: UInt64

    /// Traps for a rate below 1.
    public init(bytesPerSecond: Int, graceMs: UInt64 = 30_000) {
        precondition(bytesPerSecond > 0)
        self.bytesPerSecond = bytesPerSecond
        self.graceMs = graceMs
    }
}

/// How far a client may still fall behind its rate. Waiting for the client spends credit, bytes earn it, and it never exceeds the
/// grace: a client can't save up an hour of silence by sending fast before.
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

    /// How long the client may pause now.
    var remainingMs: UInt64 { UInt64(max(0, balance) / bytesPerSecond) }

    mutating func spend(waitedMs: UInt64, earning bytes: Int) {
        balance = min(full, balance - Int(waitedMs) * bytesPerSecond + bytes * 1000)
    }

    mutating func refill() { balance = full }
}
