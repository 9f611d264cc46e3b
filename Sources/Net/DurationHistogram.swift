/// How many durations there were up to each of some bounds, and their sum.
public struct DurationHistogram: Sendable {
    /// The upper bounds, in nanoseconds: from what a cached answer takes to what nobody waits for.
    public static let boundsNs: [UInt64] = [
        250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// Durations above the bound before and up to this one; the last number is of those above all bounds.
    public private(set) var counts = [UInt64](repeating: 0, count: boundsNs.count + 1)
    /// The sum of all durations.
    public private(set) var sumNs: UInt64 = 0
    /// How many there were.
    public var count: UInt64 { counts.reduce(0, +) }

    /// Counts nothing yet.
    public init() {}

    /// Counts one more.
    public mutating func add(_ durationNs: UInt64) {
        var index = 0
        while index < Self.boundsNs.count, durationNs > Self.boundsNs[index] { index += 1 }
        counts[index] += 1
        sumNs &+= durationNs
    }

    /// Adds what another one counted.
    public static func += (left: inout DurationHistogram, right: DurationHistogram) {
        for index in right.counts.indices { left.counts[index] += right.counts[index] }
        left.sumNs &+= right.sumNs
    }
}
