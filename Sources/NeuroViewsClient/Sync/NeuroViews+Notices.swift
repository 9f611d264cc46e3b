/// What follows from the server's notices. A notice is a hint: the pull has the truth.
extension NeuroViews {
    /// The server tells the newest change of each collection.
    func noteHeads(configurations: String, recordings: String) {
        if let before = realtime.recordingsHead, before != recordings { feeds.emit(.recordingsChanged) }
        realtime.recordingsHead = recordings
        realtime.head = configurations
        if running == nil {
            followNotice()
            setTimer()
        }
    }

    /// Plans a sync if the last notice tells of a change that this device does not have. A sync under way may bring it: so
    /// its own writes cause none.
    func followNotice() { if takeNotice() { schedule.notice(at: .now) } }

    /// Asks for the newest change, and returns whether this device lacks it. For the exam of clients, which says when a
    /// client works.
    package func lacksNewest() async throws(ClientError) -> Bool {
        realtime.head = try await RealtimeState.read(session, as: core.account?.id).configurations
        return takeNotice()
    }

    private func takeNotice() -> Bool {
        guard let head = realtime.head else { return false }
        realtime.head = nil
        return (try? store?.account().token) != head
    }
}
