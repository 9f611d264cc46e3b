import Net

/// What the connections of this process know of hosts: which one was good last, and which did not answer.
final class HostMemory: Sendable {
    static let shared = HostMemory()

    private struct State {
        var good: Set<DatabaseHost> = []
        var silentUntilMs: [DatabaseHost: UInt64] = [:]
    }

    private let state = Locked(State())
    private static let silentMs: UInt64 = 30_000
    private static let hostsMax = 1024

    /// The last good host first, the silent ones last, each with whether it is silent.
    func ordered(_ hosts: [DatabaseHost]) -> [(host: DatabaseHost, isSilent: Bool)] {
        state.withLock { state in
            let nowMs = Monotonic.nowMs()
            let silent = hosts.filter { state.silentUntilMs[$0] ?? 0 > nowMs }
            let answering = hosts.filter { !silent.contains($0) }
            let good = answering.filter(state.good.contains)
            let others = answering.filter { !good.contains($0) }
            return (good + others).map { ($0, false) } + silent.map { ($0, true) }
        }
    }

    /// A connection to `host` was made; the others of its connection string come after it.
    func noteGood(_ host: DatabaseHost, among others: [DatabaseHost]) {
        state.withLock { state in
            Self.bound(&state)
            state.good.subtract(others)
            state.good.insert(host)
            state.silentUntilMs[host] = nil
        }
    }

    /// The host did not answer in its time.
    func noteSilent(_ host: DatabaseHost) {
        state.withLock { state in
            Self.bound(&state)
            state.good.remove(host)
            state.silentUntilMs[host] = Monotonic.nowMs() + Self.silentMs
        }
    }

    private static func bound(_ state: inout State) {
        if state.good.count + state.silentUntilMs.count > hostsMax { state = State() }
    }
}
