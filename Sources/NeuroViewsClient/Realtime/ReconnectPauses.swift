/// The pauses before another socket is opened.
struct ReconnectPauses {
    private static let firstMs: Int64 = 4000
    private static let longestMs: Int64 = 60_000
    /// A socket that was open so long was a success.
    private static let proven = Duration.seconds(60)
    /// After so many failures in a row the long poll takes over.
    private static let failuresMax = 2
    /// The server stops a client that breaks its rules.
    private static let policyViolation = 1008
    /// The session has opened a third socket, perhaps for a moment: another process has got a new token.
    private static let replaced = 4002
    /// The server restarts: its reason is the time to wait.
    private static let serviceRestart = 1012

    private let maxMs: Int64
    private var doublings = 0
    private var failures = 0

    /// `maxMs`: the longest one, of tests.
    init(maxMs: Int64 = .max) { self.maxMs = min(maxMs, Self.longestMs) }

    /// True if sockets do not get through.
    var needsPoll: Bool { failures >= Self.failuresMax }

    /// The pause after a socket that was open so long; nil if no other may follow. One without a message has not got through: the server begins
    /// each with some. `fraction`: 0 to 1 by chance.
    mutating func next(after end: ChannelEnd, openFor length: Duration, hasHeard: Bool, fraction: Double) -> Duration? {
        failures = hasHeard || end.code != nil ? 0 : failures + 1
        if end.code == Self.policyViolation { return nil }
        if end.code == Self.replaced { return .milliseconds(maxMs) }
        if hasHeard, length >= Self.proven { doublings = 0 }
        if end.code == Self.serviceRestart, let ms = Int64(end.reason), ms >= 0 {
            return .milliseconds(min(ms, maxMs))
        }
        return grown(fraction)
    }

    /// The pause after a socket that could not be opened. The server may want a longer one.
    mutating func next(afterFailure retryAfterS: Int64?, fraction: Double) -> Duration {
        failures += 1
        return max(grown(fraction), retryAfterS.map { .seconds($0) } ?? .zero)
    }

    private mutating func grown(_ fraction: Double) -> Duration {
        let whole = min(Self.firstMs << Int64(min(doublings, 4)), maxMs)
        doublings += 1
        return .milliseconds(Int64(Double(whole) * fraction))
    }
}
