/// A histogram of durations, and their sum.
public struct DurationHistogram: Sendable {
    /// The upper bounds, in nanoseconds: from a cached response to an unacceptable wait.
    public static let boundsNs: [UInt64] = [
        250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// One number per bound: durations up to it and above the bound before. The last number is for those above all
    /// bounds.
    public private(set) var counts = [UInt64](repeating: 0, count: boundsNs.count + 1)
    /// The sum of all durations, in nanoseconds.
    public private(set) var sumNs: UInt64 = 0
    /// The number of durations.
    public var count: UInt64 { counts.reduce(0, +) }

    /// Makes an empty histogram.
    public init() {}

    /// Adds one duration.
    public mutating func add(_ durationNs: UInt64) {
        var index = 0
        while index < Self.boundsNs.count, durationNs > Self.boundsNs[index] { index += 1 }
        counts[index] += 1
        sumNs &+= durationNs
    }

    /// Adds the counts of another histogram.
    public static func += (left: inout DurationHistogram, right: DurationHistogram) {
        for index in right.counts.indices { left.counts[index] += right.counts[index] }
        left.sumNs &+= right.sumNs
    }
}
