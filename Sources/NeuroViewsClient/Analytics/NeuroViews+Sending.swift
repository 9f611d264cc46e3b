/// The times at which events are written and sent.
extension NeuroViews {
    /// The client was started: waiting events are sent after a while, or with the first sync.
    func startAnalytics() { scheduleSending() }

    /// The client was stopped. Events in memory are written; those on disk wait for the next start.
    func stopAnalytics() {
        // It stays in memory if it can't be written.
        try? analytics?.flush()
        analytics?.timer?.cancel()
        analytics?.timer = nil
    }

    /// Sends the waiting events.
    func sendAnalytics() async { await analytics?.send() }

    /// Writes events a second after the first of them. Many are sent at once.
    func writeEvents() async {
        // They stay in memory if they can't be written.
        try? analytics?.flush()
        guard core.isStarted, let analytics, let count = try? analytics.store.eventCount() else { return }
        if count >= Analytics.countDue { await sendAnalytics() }
        scheduleSending()
    }

    private func scheduleSending() {
        guard core.isStarted, let analytics, analytics.timer == nil else { return }
        let delay = analytics.untilDue
        analytics.timer = Task { [weak self] in
            // It is cancelled when the client stops.
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            await self?.sendDue()
        }
    }

    private func sendDue() async {
        // The client may have been stopped since the timer's end.
        guard core.isStarted else { return }
        analytics?.timer = nil
        await sendAnalytics()
        if let count = try? analytics?.store.eventCount(), count > 0 { scheduleSending() }
    }
}
