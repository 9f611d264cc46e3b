#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs uploads, two at a time.
extension NeuroViews {
    /// Goes on with every unfinished upload. Also for a network that is back: it ends pauses that are not the server's.
    func startTransfers() {
        guard let store, core.account?.id != nil, let rows = listedUploads(store) else { return }
        for row in rows where !row.phase.isAtRest {
            transfers.want(row.id)
            endPause(row.id)
        }
        Task { await sweepTasks() }
        beginDueUploads()
    }

    /// Stops all uploads, and returns after the end of the last run. They stay in the list.
    func stopTransfers() async { await transfers.stopAll() }

    /// Begins the wanted uploads, each in its turn. Streams of uploads that another process has cancelled end.
    func beginDueUploads() {
        guard transfers.wantsAny || transfers.isWatched, let store, let user = core.account?.id else { return }
        guard let rows = listedUploads(store) else { return }
        transfers.keep(rows)
        for id in transfers.due(of: rows) {
            transfers.begin(id, Task { await run(id, store, as: user) })
        }
    }

    /// The uploads of the store; nil after a failure, with another try after a pause.
    private func listedUploads(_ store: Store) -> [UploadRow]? {
        do throws(ClientError) {
            let rows = try store.mended { () throws(ClientError) in try store.uploads() }
            transfers.waiting.reset(nil)
            return rows
        } catch {
            beginLater(nil, after: error)
            return nil
        }
    }

    /// Begins an upload, or all of them, again after a pause, for a failure that may pass.
    private func beginLater(_ id: UUID?, after failure: ClientError) {
        guard failure.isPassingStoreFailure, !transfers.waiting.isWaiting(id) else { return }
        begin(id, afterMs: transfers.waiting.lengthMs(after: id, transferPauses))
    }

    private func begin(_ id: UUID?, afterMs pauseMs: Int64) {
        let wait = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(pauseMs))
            await self?.endWait(id)
        }
        transfers.waiting.begin(id, wait)
    }

    private func endWait(_ id: UUID?) {
        // The upload has begun, or was stopped, meanwhile.
        if Task.isCancelled { return }
        transfers.waiting.end(id)
        if let id { transfers.want(id) }
        if id == nil, core.isStarted { startTransfers() } else { beginDueUploads() }
    }

    /// Ends the pause of an upload, unless the server has asked for it. The run that waits for its end is begun again.
    func endPause(_ id: UUID) {
        guard transfers.mayEndPause(id), let store else { return }
        let hasEnded = try? store.step { () throws(ClientError) -> Bool in
            guard var row = try store.upload(id), row.endPause(at: Self.nowMs()) else { return false }
            try store.save(row)
            return true
        }
        guard hasEnded == true else { return }
        transfers.cancel(id)
        transfers.want(id)
        beginDueUploads()
    }

    static func nowMs() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// The pauses between attempts of transfers.
    var transferPauses: UploadPauses {
        UploadPauses(maxMs: core.account?.loop?.setup.pauseMaxMs ?? ClientSetup().pauseMaxMs)
    }

    private func run(_ id: UUID, _ store: Store, as user: UUID) async {
        let (bytes, reports) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
        let follower = Task {
            for await sent in bytes where followProgress(id, sent, store) {
                try? await Task.sleep(for: .milliseconds(Transfers.progressPauseMs))
            }
        }
        let run = UploadRun(
            id,
            store,
            SessionCalls(session, as: user),
            session.transport,
            UploadMeter { reports.yield($0) },
            background: core.account?.background,
            pauses: transferPauses,
            nowMs: { Self.nowMs() },
            changed: { row, news in self.followUpload(row, news) }
        )
        var (pauseMs, failure): (Int64?, ClientError?)
        do throws(ClientError) {
            pauseMs = try await run.run()
        } catch {
            // A removed store is of an account that has left.
            if error != .store(.removed) { failure = error }
        }
        reports.finish()
        follower.cancel()
        end(id, store, pauseMs, failure)
        beginDueUploads()
    }

    private func end(_ id: UUID, _ store: Store, _ pauseMs: Int64?, _ failure: ClientError?) {
        if let pauseMs, !Task.isCancelled {
            transfers.rest(id)
            return begin(id, afterMs: pauseMs)
        }
        transfers.end(id, failure)
        // A cancelled run was ended on purpose.
        if let failure, !Task.isCancelled {
            beginLater(id, after: failure)
            // The app sees the reason.
            if let row = try? store.upload(id) { transfers.note(row, nil) }
        }
    }

    /// Shows the bytes under way, and stores them now and then. Another process may have paused or cancelled the upload: then
    /// false.
    func followProgress(_ id: UUID, _ sent: Int64, _ store: Store) -> Bool {
        do throws(ClientError) {
            guard let row = try store.upload(id), !row.phase.isAtRest else {
                transfers.cancel(id)
                return false
            }
            if row.isBehind(sent) { try store.note(sent: sent, of: id) }
            transfers.note(row, sent: sent)
        } catch {
            // The run meets the same failure.
            return false
        }
        return true
    }

    private func followUpload(_ row: UploadRow, _ news: UploadNews?) {
        transfers.note(row, news)
        guard let news else { return }
        if news.event == .verified { feeds.emit(.uploaded(row.id)) }
        if news.failure != nil, let failure = row.failure { feeds.emit(.uploadFailed(row.id, failure)) }
        if row.phase.isAtRest { feeds.changed([]) }
        // Its file is not the one any more that the system sends.
        if row.phase == .failed { Task { await sweepTasks() } }
        // Verification needs no place.
        if !row.phase.needsPlace { beginDueUploads() }
    }

    /// The states of an upload, as fast as they come; nil if it is not in the list.
    func watchUpload(_ id: UUID) -> AsyncStream<Upload>? {
        (try? store?.upload(id)).map { transfers.watch($0) }
    }
}
