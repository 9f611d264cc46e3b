/// A time without attempts, after which a sync begins.
package struct Pause: Sendable, Equatable {
    /// The time to wait.
    package let length: Duration
    /// True if the server asked for it: then nothing ends it early.
    package let isOfServer: Bool

    /// A pause by `Retry-After`.
    package init(retryAfterSeconds: Int64) { self.init(length: .seconds(retryAfterSeconds), isOfServer: true) }

    init(length: Duration, isOfServer: Bool) { (self.length, self.isOfServer) = (length, isOfServer) }
}

/// The pauses that the client chooses: each twice as long as the one before, until an answer is handled.
package struct GrowingPause: Sendable, Equatable {
    /// The longest one.
    private let maxMs: Int64
    /// The whole of the next pause, before jitter.
    package private(set) var nextMs: Int64

    /// Begins with one second.
    package init(maxMs: Int64 = 300_000) { (self.maxMs, nextMs) = (maxMs, min(1000, maxMs)) }

    /// The pause after five rounds with new marks, and after a pull that failed. It leaves the next one as it is.
    package var minute: Pause { Pause(length: .milliseconds(min(60_000, maxMs)), isOfServer: false) }

    /// The next pause. `fraction`, 0 to 1 by chance, spreads devices that lost a server together over the last third.
    package mutating func next(fraction: Double) -> Pause {
        let spread = fraction >= 0 && fraction <= 1 ? fraction : 0
        let length = Double(nextMs) * (2 + spread) / 3
        nextMs = min(nextMs * 2, maxMs)
        return Pause(length: .milliseconds(Int64(length)), isOfServer: false)
    }
}
