import Net

/// The accounts that other servers have to hear of. One thread sends them, a batch every few milliseconds, because a NOTIFY in each write
/// would make writers wait for one lock. A lost hint costs time only: each server reads everything again once a minute.
package final class AccountHints: Sendable {
    private struct State {
        var batch = HintBatch()
        var wake: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    /// More accounts than that become one hint for all: so long was the bus away.
    private let accountsMax: Int

    package init(accountsMax: Int = 10_000) { self.accountsMax = accountsMax }

    /// Adds a hint. It is sent soon. Call it after the commit: a reader that is told earlier reads the state before.
    package func add(_ account: AccountID, _ kinds: HintKinds) {
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            // Once awake, the sender continues until nothing is left.
            let wake = state.batch.isEmpty ? state.wake : nil
            insert(account, kinds, &state.batch)
            return wake
        }
        wake?()
    }

    /// Removes and returns the hints of the next notification.
    package func take() -> HintBatch {
        state.withLock { state in
            guard !state.batch.isAll, state.batch.kinds.count > HintBatch.wordsMax else {
                defer { state.batch = HintBatch() }
                return state.batch
            }
            var taken = HintBatch()
            for (account, kinds) in state.batch.kinds.prefix(HintBatch.wordsMax) {
                taken.kinds[account] = kinds
                state.batch.kinds[account] = nil
            }
            return taken
        }
    }

    /// Returns hints that may not have been sent.
    package func putBack(_ batch: HintBatch) {
        state.withLock { state in
            if batch.isAll { state.batch = batch }
            for (account, kinds) in batch.kinds { insert(account, kinds, &state.batch) }
        }
    }

    package var isEmpty: Bool { state.withLock { $0.batch.isEmpty } }

    /// Sets what is called when there is something to send again, on any thread.
    package func whenFilled(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    private func insert(_ account: AccountID, _ kinds: HintKinds, _ batch: inout HintBatch) {
        guard !batch.isAll else { return }
        batch.kinds[account, default: []].formUnion(kinds)
        guard batch.kinds.count > accountsMax else { return }
        batch = HintBatch()
        batch.isAll = true
    }
}
