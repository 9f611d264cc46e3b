import CloudSync
import Dispatch
import Machine
import Net
import Observability
import Postgres
import Synchronization

/// Sends and receives the notifications of servers, on its own connection and thread: hints of changed accounts, and jobs that other processes
/// enqueue. Without it, changes and jobs are found by periodic reads.
final class AccountAnnouncements: Sendable {
    private let connectionString: String
    private let log: LogWriter
    /// Nil where realtime is off.
    private let hints: AccountHints?
    /// Nil in a process without sockets.
    private let hub: RealtimeHub?
    /// Nil in a process that hears of its jobs otherwise.
    private let wakeJobs: (@Sendable () -> Void)?
    private let wake: WakeDescriptor
    private let isStopped = Atomic(false)
    private let stopping = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    private static let pauseMs = 2000
    /// For the last hints of a server that stops.
    private static let farewellMs = 1000

    /// `wakeJobs` is called for each announcement, and each time after it may have missed one.
    init(
        _ connectionString: String,
        _ log: LogWriter,
        hints: AccountHints?,
        hub: RealtimeHub?,
        wakeJobs: (@Sendable () -> Void)?
    ) throws(SystemError) {
        self.connectionString = connectionString
        self.log = log
        (self.hints, self.hub, self.wakeJobs) = (hints, hub, wakeJobs)
        wake = try WakeDescriptor()
    }

    func start() {
        hints?.whenFilled { [wake] in wake.signal() }
        BackgroundThread.start("announcements") { [self] in
            while !isStopped.load(ordering: .relaxed) { listen() }
            ended.signal()
        }
    }

    /// Sends the last hints, and blocks until the thread ends or has no more time.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        stopping.signal()
        wake.signal()
        _ = ended.wait(timeout: .now() + .milliseconds(Self.farewellMs))
    }

    /// Listens until the connection is lost.
    private func listen() {
        do throws(DatabaseError) {
            let session = try BlockingSession(connectionString)
            // A crash may lose notifications: after it, all is read again.
            try session.execute("SET synchronous_commit = off")
            if hints != nil { try session.execute("LISTEN \(HintBatch.channel)") }
            if wakeJobs != nil { try session.execute("LISTEN \(RecordingJobs.announcement)") }
            // Only now: what changes from here on is missed by no notification.
            readAgain()
            try exchange(session)
        } catch {
            guard !isStopped.load(ordering: .relaxed) else { return }
            hub?.busChanged(isConnected: false)
            log.write(.warning, "announcements", [("not_listening", .text(error.sentence))])
            _ = stopping.wait(timeout: .now() + .milliseconds(Self.pauseMs))
        }
    }

    /// All is read again: notifications may have been missed.
    private func readAgain() {
        hub?.busChanged(isConnected: true)
        wakeJobs?()
    }

    private func exchange(_ session: BlockingSession) throws(DatabaseError) {
        var sending = HintBatch()
        // They may have been sent, and hints can be repeated.
        defer { hints?.putBack(sending) }
        var schedule = HintSchedule(nowMs: Monotonic.nowMs())
        var beatenAtNs = Monotonic.nowNs()
        while true {
            if !session.isAnswering { sending = HintBatch() }
            let isOver = isStopped.load(ordering: .relaxed) && hints?.isEmpty != false && !session.isAnswering
            if isOver { return }
            let step = next(&schedule, session)
            switch step {
            case .hints:
                sending = hints?.take() ?? HintBatch()
                try session.send("NOTIFY \(HintBatch.channel), '\(sending.text)'")
            case .beat:
                beatenAtNs = Monotonic.nowNs()
                try session.send("NOTIFY \(HintBatch.channel)")
            case .wait(let ms):
                let limitMs = Int32(clamping: ms)
                let notifications = try session.awaitNotifications(orWaking: wake.descriptor, forMs: limitMs)
                wake.clear()
                for notification in notifications where notification.processID != session.processID {
                    take(notification)
                }
                let own = notifications.filter { $0.processID == session.processID }
                if !own.isEmpty { schedule.heard(nowMs: Monotonic.nowMs()) }
                // The beat has no payload.
                if own.contains(where: \.payload.isEmpty) { hub?.noteBusRound(ns: Monotonic.nowNs() - beatenAtNs) }
            case .giveUp: throw .connectionLost("no notification came back in time")
            }
        }
    }

    /// Without hints there is nothing to send to itself, and TCP alone shows a dead connection.
    private func next(_ schedule: inout HintSchedule, _ session: BlockingSession) -> HintSchedule.Step {
        let nowMs = Monotonic.nowMs()
        guard let hints else {
            schedule.heard(nowMs: nowMs)
            return .wait(ms: UInt64(Self.pauseMs))
        }
        return schedule.next(hasHints: !hints.isEmpty, isAnswering: session.isAnswering, nowMs: nowMs)
    }

    private func take(_ notification: DatabaseNotification) {
        switch notification.channel {
        case RecordingJobs.announcement: wakeJobs?()
        case HintBatch.channel: hub?.take(HintBatch(notification.payload))
        default: break
        }
    }
}
