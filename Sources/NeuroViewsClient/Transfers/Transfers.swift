#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The uploads of this process: their runs, progress and watchers. Confined to the actor.
final class Transfers {
    /// Uploads that send at the same time. The server reads files back without one of these places.
    static let placesMax = 2
    /// The time between two states of an upload or a download that the app gets: ten a second.
    static let progressPauseMs: Int64 = 100

    /// An upload that runs.
    private struct Run {
        var task: Task<Void, Never>
        var needsPlace = true
    }

    private var runs: [UUID: Run] = [:]
    /// Those that wait for a place.
    private var wanted: Set<UUID> = []
    private var sent: [UUID: Int64] = [:]
    private var interruptions: [UUID: ClientError] = [:]
    /// Uploads in a pause of the server's.
    private var bound: Set<UUID> = []
    var waiting = WaitingUploads()
    private let feed = ProgressFeed()

    /// True if an upload shall run.
    var wantsAny: Bool { !wanted.isEmpty }
    /// The uploads that run, or wait for a place or the end of a pause.
    var underWay: Set<UUID> { wanted.union(runs.keys).union(waiting.ids) }
    /// True if a stream may follow an upload.
    var isWatched: Bool { !feed.watched.isEmpty }

    /// Wants an upload to run.
    func want(_ id: UUID) { wanted.insert(id) }

    /// Removes and returns the next uploads of these, in their order. One that would wait in its place for the lock of another one
    /// is due after that one's end.
    func due(of rows: [UploadRow]) -> [UUID] {
        let sending = runs.filter { $0.value.needsPlace }.keys
        var places = Self.placesMax - sending.count
        var locks = Set(sending.map { UploadRun.lockName(of: $0) })
        var due: [UUID] = []
        for row in rows where wanted.contains(row.id) && runs[row.id] == nil && !row.phase.isAtRest {
            if row.phase.needsPlace {
                guard places > 0, locks.insert(UploadRun.lockName(of: row.id)).inserted else { continue }
                places -= 1
            }
            wanted.remove(row.id)
            due.append(row.id)
        }
        return due
    }

    func begin(_ id: UUID, _ task: Task<Void, Never>) {
        waiting.end(id)
        runs[id] = Run(task: task)
    }

    /// The run has ended.
    func end(_ id: UUID, _ failure: ClientError?) {
        runs[id] = nil
        sent[id] = nil
        interruptions[id] = failure
        if failure == nil { waiting.reset(id) }
    }

    /// The run has ended for a pause: what is shown stays.
    func rest(_ id: UUID) {
        runs[id] = nil
        waiting.reset(id)
    }

    /// True for an upload that runs, or waits for the end of its own pause.
    func goesOn(_ id: UUID) -> Bool { runs[id] != nil || waiting.isWaiting(id) && waiting.failures[id] == nil }

    /// Cancels a run. Another one may begin after its end.
    func cancel(_ id: UUID) {
        wanted.remove(id)
        waiting.end(id)
        runs[id]?.task.cancel()
    }

    /// Cancels a run, and returns after its end.
    func stop(_ id: UUID) async {
        cancel(id)
        await runs[id]?.task.value
    }

    /// Cancels all runs, and returns after their end.
    func stopAll() async {
        wanted = []
        waiting.endAll()
        let tasks = runs.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// False for a pause of the server's.
    func mayEndPause(_ id: UUID) -> Bool { !bound.contains(id) }
}

extension Transfers {
    /// Takes a step of an upload over, and shows it.
    func note(_ row: UploadRow, _ news: UploadNews?) {
        runs[row.id]?.needsPlace = row.phase.needsPlace
        if let news {
            // In a pause without an answer the last number stays.
            if news.sent != nil || ![.sending, .waiting].contains(row.phase) { sent[row.id] = nil }
            interruptions[row.id] = news.reason
            if news.isFurther { waiting.reset(row.id) }
            if news.retryAfterS != nil { bound.insert(row.id) } else { bound.remove(row.id) }
        }
        feed.send(shown(row))
    }

    /// Takes the bytes under way over.
    func note(_ row: UploadRow, sent bytes: Int64) {
        guard row.phase == .sending else { return }
        sent[row.id] = bytes
        feed.send(shown(row))
    }

    /// The upload as the app sees it.
    func shown(_ row: UploadRow) -> Upload {
        Upload(row, sent: sent[row.id], interruption: row.phase.isAtRest ? nil : interruptions[row.id])
    }

    /// A stream of an upload from now on.
    func watch(_ row: UploadRow) -> AsyncStream<Upload> { feed.watch(shown(row)) }

    /// The upload left the list.
    func forget(_ id: UUID) {
        wanted.remove(id)
        sent[id] = nil
        interruptions[id] = nil
        bound.remove(id)
        waiting.reset(id)
        feed.end(id)
    }

    /// Forgets uploads that are not among these, and ends their streams: another process has removed them.
    func keep(_ rows: [UploadRow]) {
        for id in feed.watched.union(wanted).union(bound).subtracting(rows.map(\.id)) { forget(id) }
    }

    /// Ends all streams: the account is left.
    func forgetAll() { keep([]) }
}

/// The streams of uploads' states. Slow listeners get the newest one.
final class ProgressFeed {
    private var listeners: [UUID: [UUID: AsyncStream<Upload>.Continuation]] = [:]

    /// The uploads with listeners.
    var watched: Set<UUID> { Set(listeners.keys) }

    /// A stream that begins with this state. It ends with `done` or `failed`.
    func watch(_ upload: Upload) -> AsyncStream<Upload> {
        let (stream, listener) = AsyncStream.makeStream(of: Upload.self, bufferingPolicy: .bufferingNewest(1))
        listener.yield(upload)
        if upload.state.isOver { listener.finish() } else { listeners[upload.id, default: [:]][UUID()] = listener }
        return stream
    }

    func send(_ upload: Upload) {
        for (key, listener) in listeners[upload.id] ?? [:] {
            if case .terminated = listener.yield(upload) { listeners[upload.id]?[key] = nil }
        }
        if upload.state.isOver { end(upload.id) }
    }

    func end(_ id: UUID) {
        for listener in (listeners.removeValue(forKey: id) ?? [:]).values { listener.finish() }
    }
}
