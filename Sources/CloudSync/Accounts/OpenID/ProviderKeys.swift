import Credentials
import Net

/// The keys of one provider: fetched when needed, and cached. If several requests need a fetch, one fetches and the
/// others wait.
package final class ProviderKeys: Sendable {
    /// A key set and its cache time; nil if the provider sends none.
    package typealias Fetched = (set: JSONWebKeySet, lifetimeSeconds: Int?)

    /// The bounds of a set's lifetime, in seconds.
    static let lifetimes = 300...86_400
    /// Grace time of an old set while no other can be fetched, in seconds.
    static let graceSeconds = 86_400
    /// The pause between fetches for one reason. No client can cause more fetches, neither while the provider is down
    /// nor with unknown keys.
    static let pauseSeconds = 60
    /// Limit of requests that wait for a fetch.
    private static let waitersMax = 256

    private let fetch: @Sendable () async throws -> Fetched
    private let nowMs: @Sendable () -> UInt64
    private let report: @Sendable (any Error) -> Void
    private let state: Locked<State>

    /// `fetch` may be slow but must not block; each of its errors is reported. `first` is a set that is known already.
    package init(
        first: JSONWebKeySet? = nil,
        nowMs: @escaping @Sendable () -> UInt64 = Monotonic.nowMs,
        report: @escaping @Sendable (any Error) -> Void = { _ in },
        fetch: @escaping @Sendable () async throws -> Fetched
    ) {
        self.fetch = fetch
        self.nowMs = nowMs
        self.report = report
        var state = State()
        if let first { state.store((first, nil), at: nowMs()) }
        self.state = Locked(state)
    }

    /// Runs `check` with the keys; if its key is unknown, once more with newer ones. Throws its errors;
    /// `.providerUnavailable` without keys; `.overloaded`.
    func checking<T: Sendable>(_ check: (JSONWebKeySet) throws(TokenRefusal) -> T) async throws -> T {
        try await renew(.expired)
        let keys = try usableKeys()
        do {
            return try check(keys)
        } catch .unknownKey {
            try await renew(.unknownKey)
            let keys = try usableKeys()
            do {
                return try check(keys)
            } catch .unknownKey where state.withLock({ $0.hasFailed }) {
                // The unknown key may be a new one that could not be fetched.
                throw unavailable()
            }
        }
    }

    private func usableKeys() throws -> JSONWebKeySet {
        let now = nowMs()
        guard let keys = state.withLock({ $0.usableKeys(at: now) }) else { throw unavailable() }
        return keys
    }

    private func unavailable() -> CloudSyncError { .providerUnavailable(retrySeconds: Self.pauseSeconds) }

    private func renew(_ reason: State.Reason) async throws {
        let now = nowMs()
        switch state.withLock({ $0.turn(reason, at: now) }) {
        case .none: return
        case .overloaded: throw CloudSyncError.problem(.overloaded)
        case .waits: await wait()
        case .fetches:
            var outcome: Result<Fetched, any Error>
            do { outcome = .success(try await fetch()) } catch { outcome = .failure(error) }
            let end = nowMs()
            let waiters = state.withLock { $0.end(outcome, at: end) }
            for waiter in waiters { waiter.resume() }
            if case .failure(let error) = outcome { report(error) }
        }
    }

    /// Waits for the end of the current fetch.
    private func wait() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let waits = state.withLock { $0.add(continuation) }
            if !waits { continuation.resume() }
        }
    }
}

extension ProviderKeys {
    /// The mutable state.
    private struct State {
        enum Reason { case expired, unknownKey }
        enum Turn { case none, fetches, waits, overloaded }

        private var keys: JSONWebKeySet?
        private var freshUntilMs: UInt64 = 0
        /// The start of the last fetch for each reason.
        private var expiredMs: UInt64?
        private var unknownKeyMs: UInt64?
        private var isFetching = false
        private var waiters: [UnsafeContinuation<Void, Never>] = []
        /// Requests that must wait. Some may not have been added to `waiters` yet.
        private var waiting = 0
        /// True if the last fetch failed.
        private(set) var hasFailed = false

        /// Nil without keys, or if they are too old.
        func usableKeys(at now: UInt64) -> JSONWebKeySet? {
            now <= freshUntilMs + UInt64(graceSeconds) * 1000 ? keys : nil
        }

        mutating func turn(_ reason: Reason, at now: UInt64) -> Turn {
            if reason == .expired, keys != nil, now < freshUntilMs { return .none }
            if isFetching, waiting < waitersMax {
                waiting += 1
                return .waits
            }
            // Too many requests wait. Usable keys stay available to everybody.
            if isFetching { return reason == .expired && usableKeys(at: now) != nil ? .none : .overloaded }
            let last = reason == .expired ? expiredMs : unknownKeyMs
            if let last, now < last + UInt64(pauseSeconds) * 1000 { return .none }
            if reason == .expired { expiredMs = now } else { unknownKeyMs = now }
            isFetching = true
            return .fetches
        }

        mutating func add(_ waiter: UnsafeContinuation<Void, Never>) -> Bool {
            if isFetching { waiters.append(waiter) }
            return isFetching
        }

        mutating func end(_ outcome: Result<Fetched, any Error>, at now: UInt64) -> [UnsafeContinuation<Void, Never>] {
            switch outcome {
            case .success(let fetched): store(fetched, at: now)
            case .failure: hasFailed = true
            }
            isFetching = false
            defer { (waiters, waiting) = ([], 0) }
            return waiters
        }

        mutating func store(_ fetched: Fetched, at now: UInt64) {
            let range = lifetimes
            let seconds = min(max(fetched.lifetimeSeconds ?? 0, range.lowerBound), range.upperBound)
            (keys, freshUntilMs, hasFailed) = (fetched.set, now + UInt64(seconds) * 1000, false)
        }
    }
}
