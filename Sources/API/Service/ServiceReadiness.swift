import CloudSync
import Net

/// The readiness to serve requests. The database is asked once a second at most, because anybody may ask.
public final class ServiceReadiness: Sendable {
    private struct State {
        /// The last reason against serving; nil: requests can be served, as at the start.
        var missing: String?
        var askedMs: UInt64?
        var isAsking = false
    }

    private static let keptMs: UInt64 = 1000
    /// A balancer's check gives up after some seconds.
    private static let slowMs: UInt64 = 2000

    private let ask: @Sendable () async -> String?
    private let nowMs: @Sendable () -> UInt64
    private let state = Locked(State())

    /// `ask` returns the reason against serving, or nil.
    public init(
        nowMs: @escaping @Sendable () -> UInt64 = Monotonic.nowMs,
        _ ask: @escaping @Sendable () async -> String?
    ) {
        self.ask = ask
        self.nowMs = nowMs
    }

    /// Throws `databaseUnavailable` if requests can't be served.
    func check() async throws {
        if let reason = await missing() { throw CloudSyncError.databaseUnavailable(reason: reason) }
    }

    /// The first request in a second waits for the database. While it waits, the others get the last answer, and after two seconds a refusal.
    private func missing() async -> String? {
        let now = nowMs()
        let (isFirst, known) = state.withLock { state in
            let ageMs = state.askedMs.map { now - min(now, $0) }
            if state.isAsking {
                let isSlow = (ageMs ?? 0) > Self.slowMs
                return (false, isSlow ? "the database has not answered for \(Self.slowMs) ms" : state.missing)
            }
            if let ageMs, ageMs < Self.keptMs { return (false, state.missing) }
            state.isAsking = true
            state.askedMs = now
            return (true, nil)
        }
        guard isFirst else { return known }
        let missing = await ask()
        state.withLock { state in
            state.missing = missing
            state.isAsking = false
        }
        return missing
    }
}
