import Net

/// Limits the changing requests of an account in an hour. Each leaves rows that no quota counts: nonces, keys of
/// retries, versions without a document, ended sessions. So a large batch counts as several. Each server counts by
/// itself, in memory.
package final class WriteRates: Sendable {
    /// The requests that an account may still send, at a time. The credit grows evenly. A large batch and parallel
    /// requests may make it negative.
    private struct Credit {
        var requests: Double
        var asOfMs: UInt64
    }

    private static let windowSeconds = 3600
    /// Above this number of accounts, those with full credit are removed. Usually only accounts that wrote within a few
    /// seconds remain.
    private static let accountsMin = 1024

    private struct State {
        var credits: [String: Credit] = [:]
        var accountsMax = accountsMin
    }

    private let perHour: Int
    private let nowMs: @Sendable () -> UInt64
    private let state = Locked(State())

    /// 0 means unlimited.
    package init(perHour: Int, nowMs: @escaping @Sendable () -> UInt64 = Monotonic.nowMs) {
        self.perHour = perHour
        self.nowMs = nowMs
    }

    /// The number of remembered accounts.
    var accountCount: Int { state.withLock { $0.credits.count } }

    /// Runs a request that changes something, and counts it if its session was accepted: a token of an ended session
    /// must not use the owner's credit. `weight` is the number of requests that it counts as, 0 if it did not reach the
    /// database. Throws `.rateLimited` without credit.
    package func passing<T>(
        _ account: String,
        weight: () -> Int,
        _ body: () async throws -> T
    ) async throws -> T {
        guard perHour > 0 else { return try await body() }
        try admit(account)
        do {
            let value = try await body()
            spend(account, weight())
            return value
        } catch {
            if case CloudSyncError.unauthenticated = error { throw error }
            spend(account, weight())
            throw error
        }
    }

    private func admit(_ account: String) throws(CloudSyncError) {
        let now = nowMs()
        let requests = state.withLock { $0.credits[account] }.map { credit($0, now) } ?? Double(perHour)
        guard requests < 1 else { return }
        let waitSeconds = Int(((1 - requests) * secondsPerRequest).rounded(.up))
        let window = Self.windowSeconds
        throw .rateLimited(ReachedLimit("writes", windowSeconds: window, limit: perHour, waitSeconds: waitSeconds))
    }

    private func spend(_ account: String, _ weight: Int) {
        guard weight > 0 else { return }
        let now = nowMs()
        state.withLock { state in
            let requests = state.credits[account].map { credit($0, now) } ?? Double(perHour)
            state.credits[account] = Credit(requests: requests - Double(weight), asOfMs: now)
            if state.credits.count > state.accountsMax { forget(now, &state) }
        }
    }

    private var secondsPerRequest: Double { Double(Self.windowSeconds) / Double(perHour) }

    private func credit(_ credit: Credit, _ now: UInt64) -> Double {
        // Another event loop may have read the clock later but stored its value first.
        let passedMs = now > credit.asOfMs ? now - credit.asOfMs : 0
        let grown = Double(passedMs) / 1000 / secondsPerRequest
        return min(Double(perHour), credit.requests + grown)
    }

    private func forget(_ now: UInt64, _ state: inout State) {
        state.credits = state.credits.filter { credit($0.value, now) < Double(perHour) }
        state.accountsMax = max(Self.accountsMin, 2 * state.credits.count)
    }
}
