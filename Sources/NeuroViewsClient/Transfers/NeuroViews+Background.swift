#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Uploads that the system carries on while the app sleeps.
extension NeuroViews {
    /// The system gives an app half a minute when it wakes it.
    private static let wakeMaxS = 25
    private static let lookPauseMs: Int64 = 100

    /// Goes on with the uploads after the system has woken the app, and returns when they are at the system again, wait for longer than
    /// the app may be awake, or are done. Returns at once for the session of anybody else.
    func wake(_ identifier: String) async {
        guard let background = core.account?.background, background.identifier == identifier else { return }
        startTransfers()
        let deadline = ContinuousClock.now + .seconds(Self.wakeMaxS)
        while case let rest = deadline - .now, rest > .zero,
            !(background.ends.isDelivered && areUploadsQuiet(background, for: rest))
        {
            try? await Task.sleep(for: .milliseconds(Self.lookPauseMs))
        }
        background.ends.sleep()
    }

    /// True if no upload has something to do for the app until then. After a short pause the app goes on itself: nothing would wake it.
    private func areUploadsQuiet(_ background: BackgroundUploads, for rest: Duration) -> Bool {
        guard let rows = try? store?.uploads() else { return true }
        return rows.allSatisfy { row in
            row.phase.isAtRest || row.phase == .verifying || !transfers.goesOn(row.id)
                || .milliseconds(row.pauseMs(at: Self.nowMs())) > rest || background.rests(row.id)
        }
    }

    /// Ends the tasks of uploads that the user has stopped, or that left the list, and removes the files that no task has.
    func sweepTasks() async {
        guard let background = core.account?.background else { return }
        let before = await background.labels()
        // Asked afterwards, so that the tasks of an upload that began meanwhile stay.
        guard let rows = try? store?.uploads() else { return }
        let sent = Set(rows.filter { $0.phase.after(.relaunched) != nil }.map(\.id))
        let orphans = Set(before.filter { !sent.contains($0.upload) })
        // A task that began meanwhile keeps its file, also when nobody waits for it any more.
        background.sweep(before + (await background.labels()), orphans: orphans)
    }
}
