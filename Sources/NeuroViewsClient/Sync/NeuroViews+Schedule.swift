import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The begin and end of syncs.
extension NeuroViews {
    /// The time between two looks for a network, in a pause of the client's own.
    private static let networkInterval = Duration.seconds(2)

    /// The sync under way, or a new one. `endsPause`: the user wants it; that ends no pause of the server's.
    package func sharedSync(endsPause: Bool) async -> SyncOutcome {
        // Also for a sync that has not begun yet.
        if endsPause { core.account?.loop?.endOwnPause() }
        if let running { return await running.value }
        let task = Task { await runSync() }
        running = task
        return await task.value
    }

    private func runSync() async -> SyncOutcome {
        schedule.begin()
        feeds.changed([])
        let outcome = await loopOutcome()
        // Another process has logged in another account. Its store is open now.
        if outcome.failure == .otherAccount { loggedIn() }
        running = nil
        note(outcome.failure)
        tellOfOthers()
        let wait: Duration? = outcome.failure == .otherAccount ? .zero : outcome.wait
        schedule.end(pause: wait, interval: core.options.pollInterval, fraction: .random(in: 0...1), at: .now)
        followNotice()
        setTimer()
        feeds.changed([])
        if outcome.failure == nil { Task { await sendAfterSync() } }
        return outcome
    }

    private func loopOutcome() async -> SyncOutcome {
        do throws(ClientError) {
            try readSessionAgain()
            // The log in may have failed to open the store.
            _ = try openedStore()
        } catch {
            return SyncOutcome(failure: error)
        }
        return await core.account?.loop?.sync() ?? SyncOutcome(failure: .needsLogIn(nil))
    }

    /// Another process may have logged out and kept the store. A session that can't be read now is used as it is known.
    private func readSessionAgain() throws(ClientError) {
        guard let account = core.account, let user = account.id, account.store.isThere else { return }
        do throws(ClientError) {
            try session.readAgain(as: user)
        } catch {
            if case .secrets = error { return }
            throw error
        }
    }

    /// Events that wait go with a sync, unless the client was stopped meanwhile.
    private func sendAfterSync() async { if core.isStarted { await sendAnalytics() } }

    /// Reports once: the user must log in.
    private func note(_ failure: ClientError?) {
        if case .needsLogIn(let problem) = failure, failure != lastFailure, core.account?.loop != nil {
            feeds.emit(.needsLogIn(problem))
        }
        lastFailure = failure
    }

    /// Names the items changed by other processes.
    private func tellOfOthers() {
        guard let store, let version = try? store.dataVersion(), version != seenVersion else { return }
        let isFirst = seenVersion == nil
        if transfers.isWatched {
            guard let rows = try? store.uploads() else { return }
            transfers.keep(rows)
        }
        seenVersion = version
        guard !isFirst, let ids = try? store.rows("SELECT id FROM item", [], { $0.text(0) }) else { return }
        feeds.changed(Set(ids.compactMap { UUID(uuidString: $0) }))
    }

    /// Waits for the next sync, also while nobody is logged in: only a look finds a log in by another process.
    func setTimer() {
        timer?.cancel()
        timer = nil
        guard running == nil, let due = schedule.due else { return }
        let isOwnPause = core.account?.loop?.pause?.isOfServer == false
        timer = Task { [weak self] in
            let isBack = await Self.wait(until: due, watchesNetwork: isOwnPause)
            await self?.endTimer(isBack: isBack)
        }
    }

    /// Begins the sync that was due, unless the timer was cancelled: another one is planned, or the client has stopped. From
    /// here on, on the actor, nobody can cancel it.
    func endTimer(isBack: Bool) async {
        if Task.isCancelled { return }
        if isBack { networkIsBack() } else { _ = await sharedSync(endsPause: false) }
    }

    /// Waits. Returns true early if the network is back.
    nonisolated static func wait(until due: ContinuousClock.Instant, watchesNetwork: Bool) async -> Bool {
        var watch = watchesNetwork ? NetworkWatch(NetworkAddresses.current()) : nil
        while !Task.isCancelled, .now < due {
            let step = watchesNetwork ? min(due, .now + networkInterval) : due
            try? await Task.sleep(until: step, clock: .continuous)
            if watch?.isBack(NetworkAddresses.current()) == true { return true }
        }
        return false
    }

    /// An edit was stored: the app hears of it, and a sync follows.
    func noteEdit(_ ids: Set<UUID>) {
        feeds.changed(ids)
        schedule.edit(at: .now)
        setTimer()
    }

    /// Somebody has logged in, perhaps in another process.
    func loggedIn() {
        // The first try may have failed to open the store.
        _ = try? core.openedStore()
        core.account?.loop?.endPause()
        // The old link belongs to nobody.
        link?.cancel()
        link = nil
        startRealtime()
        wake()
    }

    /// The network is back: all pauses but the server's end. A link watches the network itself.
    func networkIsBack() {
        core.account?.loop?.endOwnPause()
        wake()
    }

    private func wake() {
        guard core.isStarted else { return }
        startTransfers()
        startAnalytics()
        schedule.start(at: .now)
        setTimer()
    }

    /// Ends the sync under way. Its request stays in the store.
    func pauseSync() async {
        running?.cancel()
        _ = await running?.value
    }
}
