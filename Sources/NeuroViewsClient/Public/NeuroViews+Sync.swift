import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NeuroViews {
    /// Syncs from now on: at once, 2 seconds after an edit, when the server tells of a change or the network is back, and once
    /// each ``Options/pollInterval``. Uploads and events are sent, too. Also before anybody has logged in: a log in of another
    /// process is noticed within the interval.
    public func start() {
        guard !core.isStarted else { return }
        core.isStarted = true
        startTransfers()
        startAnalytics()
        startRealtime()
        schedule.start(at: .now)
        setTimer()
    }

    /// Ends the work of ``start()`` at once. Unsent edits stay on the disk. A call of ``start()`` meanwhile counts.
    public func stop() async {
        core.isStarted = false
        stopAnalytics()
        schedule.stop()
        setTimer()
        await stopRealtime()
        // A later start has begun anew what would be ended here.
        if core.isStarted { return }
        await pauseSync()
        if core.isStarted { return }
        await stopTransfers()
        feeds.changed([])
    }

    /// Syncs now, and returns when everything is sent and the server's changes are here. Waiting events are sent, too.
    /// Callers share a sync. It ends a pause after a failure, but none that the server has asked for.
    ///
    /// - Returns: The work done. `again` is set if edits were refused again and again, and the next sync waits.
    /// - Throws: The reason of a sync that did not end. Edits stay on the disk, and after ``start()`` the next sync sends
    ///   them: `.offline`, `.tryLater`, `.needsLogIn`, `.refused` for a pull.
    @discardableResult
    public func sync() async throws(ClientError) -> SyncReport {
        let outcome = await sharedSync(endsPause: true)
        if let failure = outcome.failure { throw failure }
        await sendAnalytics()
        return outcome.report
    }

    /// Syncs, and returns when nothing is unsent, or nothing of one configuration. After ``start()`` it waits as long as
    /// that takes; otherwise one sync must be enough.
    ///
    /// - Throws: `.refused` or `.held` if the configuration waits for its user. `.needsLogIn` or `.otherAccount` if its account is
    ///   left. The failure of the sync without `start`.
    public func synced(_ id: UUID? = nil) async throws(ClientError) {
        let (changes, user) = (feeds.changes(), core.account?.id)
        if try isSettled(id, of: user) { return }
        let outcome = await sharedSync(endsPause: false)
        if try isSettled(id, of: user) { return }
        if !core.isStarted { throw outcome.failure ?? .tryLater(nil, seconds: nil) }
        for await _ in changes {
            if try isSettled(id, of: user) { return }
            if !core.isStarted { throw lastFailure ?? .cancelled }
        }
        throw .cancelled
    }

    private func isSettled(_ id: UUID?, of user: UUID?) throws(ClientError) -> Bool {
        let store = try openedStore()
        // The store of another account, or of nobody, knows nothing of the edits.
        if let user { try session.check(user) }
        guard let id else { return try store.counts(at: .now).unsent == 0 }
        guard let item = try store.item(id.uuidString.lowercased()) else { return true }
        if item.isHeld { throw .held(id) }
        if let refusal = item.refusal, !refusal.isOver(at: .now) { throw .refused(Problem(refusal.problem)) }
        return item.edit == nil && item.part == nil
    }

    /// The present activity, and the number of unsent edits.
    public var status: SyncStatus {
        get throws(ClientError) {
            // Another process may have removed the store.
            if store?.isRemoved == true { _ = try? openedStore() }
            guard let store else {
                return SyncStatus(activity: activity, unsent: 0, refused: 0, held: 0, lastComplete: nil)
            }
            return try store.look { () throws(ClientError) in
                let counts = try store.counts(at: .now)
                return SyncStatus(
                    activity: activity,
                    unsent: counts.unsent,
                    refused: counts.refused,
                    held: counts.held,
                    lastComplete: try store.account().lastComplete.map { Date($0) }
                )
            }
        }
    }

    private var activity: SyncStatus.Activity {
        if running != nil { return .syncing }
        if let pause = core.account?.loop?.pause, pause.rest != nil { return .paused(until: pause.date, pause.reason) }
        return core.isStarted ? .idle : .stopped
    }
}
