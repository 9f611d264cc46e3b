import Net

/// Limits how many requests of a kind an account has under way. Further ones wait in the order of their arrival.
final class AccountSeats: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: UnsafeContinuation<Bool, Never>
    }

    private struct State {
        /// The taken seats of each account, and the requests that wait for one.
        var taken: [String: Int] = [:]
        var waiters: [String: [Waiter]] = [:]
        var nextID = 0
    }

    private let ofAccount: Int
    private let waitMs: UInt64
    private let state = Locked(State())

    /// A request waits at most `waitMs` milliseconds for a seat.
    init(ofAccount: Int, waitMs: UInt64 = 0) {
        self.ofAccount = ofAccount
        self.waitMs = waitMs
    }

    /// Takes a seat of the account. Throws `.overloaded` when none becomes free in time. Call it on an event loop.
    func take(_ userID: String) async throws(CloudSyncError) -> AccountSeat {
        guard await hasEntered(userID) else { throw .problem(.overloaded) }
        return AccountSeat { [self] in leave(userID) }
    }

    private func hasEntered(_ userID: String) async -> Bool {
        if takeNow(userID) { return true }
        guard waitMs > 0, let loop = EventLoop.current else { return false }
        return await withUnsafeContinuation { continuation in
            guard let id = wait(userID, continuation) else { return continuation.resume(returning: true) }
            loop.schedule(LoopTimer { [self] in giveUp(id, userID) }, atMs: Monotonic.nowMs() + waitMs + 1)
        }
    }

    private func takeNow(_ userID: String) -> Bool { state.withLock { takeNow(userID, &$0) } }

    private func takeNow(_ userID: String, _ state: inout State) -> Bool {
        guard state.taken[userID, default: 0] < ofAccount else { return false }
        state.taken[userID, default: 0] += 1
        return true
    }

    /// Returns the waiter's id; nil if a seat has become free.
    private func wait(_ userID: String, _ continuation: UnsafeContinuation<Bool, Never>) -> Int? {
        state.withLock { state in
            if takeNow(userID, &state) { return nil }
            state.nextID += 1
            state.waiters[userID, default: []].append(Waiter(id: state.nextID, continuation: continuation))
            return state.nextID
        }
    }

    private func giveUp(_ id: Int, _ userID: String) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiters[userID]?.firstIndex(where: { $0.id == id }) else { return nil }
            return Self.remove(at: index, userID, &state)
        }
        waiter?.continuation.resume(returning: false)
    }

    /// The seat goes to the request that waits longest.
    private func leave(_ userID: String) {
        let next: Waiter? = state.withLock { state in
            if state.waiters[userID] != nil { return Self.remove(at: 0, userID, &state) }
            state.taken[userID, default: 1] -= 1
            if state.taken[userID] == 0 { state.taken[userID] = nil }
            return nil
        }
        next?.continuation.resume(returning: true)
    }

    private static func remove(at index: Int, _ userID: String, _ state: inout State) -> Waiter? {
        let waiter = state.waiters[userID]?.remove(at: index)
        if state.waiters[userID]?.isEmpty == true { state.waiters[userID] = nil }
        return waiter
    }
}

/// A seat. It is released when this object is, at the latest.
package final class AccountSeat: Sendable {
    private let free: Locked<(@Sendable () -> Void)?>

    fileprivate init(free: @escaping @Sendable () -> Void) { self.free = Locked(free) }

    deinit { leave() }

    /// Releases the seat.
    package func leave() {
        let free = free.withLock { free in
            defer { free = nil }
            return free
        }
        free?()
    }
}
