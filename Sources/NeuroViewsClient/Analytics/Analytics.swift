import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The events and consents of an account, confined to the actor.
final class Analytics {
    /// A batch is sent after so many events, or after `period`.
    static let countDue: Int64 = 200
    static let period = Duration.seconds(60)
    /// Events are written so long after the first of them.
    static let writeDelay = Duration.seconds(1)

    let store: Store
    let session: Session
    let user: UUID?
    let buffer: EventBuffer
    private let feeds: Feeds
    /// Sends the waiting events at its end.
    var timer: Task<Void, Never>?
    /// Calls that follow the consents of another call.
    var consentWaiters: [CheckedContinuation<Void, Never>] = []
    var isSendingConsents = false

    private var isSending = false
    private var pause = GrowingPause()
    private var pausedUntil = ContinuousClock.now

    init(store: Store, session: Session, user: UUID?, buffer: EventBuffer, feeds: Feeds) {
        (self.store, self.session, self.user, self.buffer, self.feeds) = (store, session, user, buffer, feeds)
        buffer.open(store)
    }

    /// The store is about to be closed.
    func close() {
        // Events that can't be written any more are lost: the app was told that they may be.
        try? flush()
        timer?.cancel()
        buffer.open(nil)
    }

    /// The time until the next attempt.
    var untilDue: Duration { max(Self.period, ContinuousClock.now.duration(to: pausedUntil)) }

    /// Writes the events in memory.
    func flush() throws(ClientError) {
        let events = buffer.takeAll()
        guard !events.isEmpty else { return }
        do throws(ClientError) {
            try store.addEvents(events, at: .now)
        } catch {
            buffer.putBack(events)
            throw error
        }
    }

    /// Sends consents, and then all events that are on disk. Failures are followed by a pause; nothing is lost by them.
    func send() async {
        guard !isSending, ContinuousClock.now >= pausedUntil else { return }
        isSending = true
        defer { isSending = false }
        do throws(ClientError) {
            try flush()
            _ = try await sendConsents()
            try await sendEvents()
        } catch {
            let length = error.retryAfterSeconds.map { Pause(retryAfterSeconds: $0) }
            pausedUntil = .now + (length ?? pause.next(fraction: .random(in: 0...1))).length
        }
    }

    private func sendEvents() async throws(ClientError) {
        // A process that has the lock sends them all.
        guard let lock = (try? FileLock.attempt(store.folder + "/events.lock")) ?? nil else { return }
        defer { withExtendedLifetime(lock) {} }
        while let batch = try store.eventBatch(at: .now) {
            let answer = try await session.send("POST", "/analytics/events", body: batch.body, as: user)
            try end(batch, EventOutcome(answer, to: batch))
            pause = GrowingPause()
        }
    }

    private func end(_ batch: EventBatch, _ outcome: EventOutcome) throws(ClientError) {
        switch outcome {
        case .dropped(let refusals, let without):
            try store.step { () throws(ClientError) in
                try store.endEventBatch()
                try store.stopCollecting(without)
            }
            buffer.limit(to: try store.grantedCategories())
            if !refusals.isEmpty { feeds.emit(.eventsRefused(refusals)) }
        case .full: try store.keepEventBatchForTomorrow(at: .now)
        case .repeated: throw .unexpectedAnswer("The answer to \(batch.events.count) events was not understood.")
        }
    }
}
