import Net

/// Counts the crash reports of each account in a day (UTC), so that no account displaces the reports of all others. In
/// memory: a row would show that an account has sent reports.
final class CrashShares: Sendable {
    /// Limit of an account's reports in a day, at each server.
    static let dailyMax = 20
    /// Limit of counted accounts. Beyond it all counts begin again, so that no account is refused for the others.
    static let accountsMax = 10_000

    private struct State {
        var day: EventDay?
        var taken: [String: Int] = [:]
    }

    private let state = Locked(State())

    /// Takes as many of `wanted` reports as the account has left on this day, and returns their number.
    func take(_ wanted: Int, of userID: String, on day: EventDay) -> Int {
        state.withLock { state in
            let isFull = state.taken.count >= Self.accountsMax && state.taken[userID] == nil
            if state.day != day || isFull { state = State(day: day) }
            let taken = state.taken[userID] ?? 0
            let count = min(wanted, Self.dailyMax - taken)
            state.taken[userID] = taken + count
            return count
        }
    }

    /// Gives reports back that were not stored.
    func giveBack(_ count: Int, of userID: String, on day: EventDay) {
        state.withLock { state in
            guard state.day == day, let taken = state.taken[userID] else { return }
            state.taken[userID] = taken > count ? taken - count : nil
        }
    }

    /// The number of counted accounts.
    var accountCount: Int { state.withLock { $0.taken.count } }
}
