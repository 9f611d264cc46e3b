#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Carries one upload on, step by step: each step's outcome is stored before the next one begins, so a crash repeats at most
/// one step. Confined to the actor.
final class UploadRun {
    /// Uploads whose ids begin with the same digit share a lock, so that the number of files has a limit.
    private static let lockDigits = 1

    let id: UUID
    let store: Store
    let calls: any TransferCalls
    let transport: any Transport
    let meter: UploadMeter
    /// Nil if bytes are sent only while the app runs.
    let background: BackgroundUploads?
    private let pauses: UploadPauses
    /// The pause before another look at an upload of another process.
    private let turnMs: Int64
    private let nowMs: @Sendable () -> Int64
    /// Called after each step. Without news another process made it.
    private let changed: (UploadRow, UploadNews?) -> Void

    init(
        _ id: UUID,
        _ store: Store,
        _ calls: any TransferCalls,
        _ transport: any Transport,
        _ meter: UploadMeter,
        background: BackgroundUploads? = nil,
        pauses: UploadPauses,
        turnMs: Int64 = 2000,
        nowMs: @escaping @Sendable () -> Int64,
        changed: @escaping (UploadRow, UploadNews?) -> Void
    ) {
        (self.id, self.store, self.calls, self.transport) = (id, store, calls, transport)
        (self.meter, self.background, self.pauses, self.turnMs) = (meter, background, pauses, turnMs)
        (self.nowMs, self.changed) = (nowMs, changed)
    }

    /// Returns at the end of the upload, in a cancelled task, and at a pause of its sending. Returns the rest of that pause in
    /// milliseconds; the caller reads no clock again, since it may be over by then. Throws failures of the store.
    @discardableResult func run() async throws(ClientError) -> Int64? {
        var pauseMs: Int64?
        repeat {
            pauseMs = try await transfer()
            guard try store.upload(id)?.phase == .verifying else { break }
            // A server that was restored from a backup wants the bytes again.
            try await carryOn { $0 == .verifying }
        } while !Task.isCancelled
        try look()
        return pauseMs
    }

    /// Shows the state of an upload that another process carries on.
    private func look() throws(ClientError) {
        if let row = try store.upload(id) { changed(row, nil) }
    }

    /// Sends with the lock: two processes would cut each other off. Returns the rest of a pause.
    private func transfer() async throws(ClientError) -> Int64? {
        while !Task.isCancelled, try store.upload(id)?.phase.needsPlace == true {
            guard let lock = try takeTurn() else {
                try look()
                await Self.sleep(turnMs)
                continue
            }
            defer { withExtendedLifetime(lock) {} }
            // The last holder has ended; tasks of the system may still run.
            let isSent = await background?.isUnderWay(id) ?? false
            try take(UploadNews(isSent ? .relaunched : .restarted))
            return try await carryOn(while: \.needsPlace)
        }
        return nil
    }

    /// The file of the lock of an upload.
    static func lockName(of id: UUID) -> String { "upload-\(id.lower.prefix(lockDigits)).lock" }

    private func takeTurn() throws(ClientError) -> FileLock? {
        let name = Self.lockName(of: id)
        do throws(FileLock.Failure) {
            return try FileLock.attempt("\(store.folder)/\(name)")
        } catch {
            throw .store(.other("\(name): \(error)"))
        }
    }

    @discardableResult private func carryOn(while isDue: (UploadPhase) -> Bool) async throws(ClientError) -> Int64? {
        while !Task.isCancelled, let row = try store.upload(id), isDue(row.phase) {
            let pauseMs = row.pauseMs(at: nowMs())
            if pauseMs > 0, row.phase.needsPlace { return pauseMs }
            await Self.sleep(pauseMs)
            guard !Task.isCancelled, let news = try await step(row) else { return nil }
            try take(news, of: row)
        }
        return nil
    }

    /// The next step. Nil: the task was cancelled.
    private func step(_ row: UploadRow) async throws(ClientError) -> UploadNews? {
        do throws(ClientError) {
            switch row.phase {
            case .hashing: return await hash(row)
            case .queued: return UploadNews(.begun)
            case .sending: return try await send(row)
            case .waiting: return UploadNews(.pauseEnded)
            case .completing: return try await complete(row)
            case .verifying: return try await verify(row)
            case .done, .paused, .failed: return nil
            }
        } catch {
            if case .store = error { throw error }
            // Another caller of the session may have been cancelled.
            return Task.isCancelled ? nil : .interrupted(error)
        }
    }

    /// Stores an outcome. One that is late, since the user has paused or cancelled the upload, changes nothing. Nor does one of a row that was
    /// begun anew meanwhile: what was read of another file, or sealed with another key, is not this one's.
    func take(_ news: UploadNews, of before: UploadRow? = nil) throws(ClientError) {
        let row = try store.step { () throws(ClientError) -> UploadRow? in
            guard var row = try store.upload(id), before.map(row.isSame) ?? true,
                row.take(news, at: nowMs(), pauses)
            else { return nil }
            try store.save(row)
            if let tags = news.tags { try store.save(tags, of: id) }
            return row
        }
        if let row { changed(row, news) }
    }

    /// Notes that the server has opened the upload, before anything is sent to it. Returns false if it is not wanted any more.
    func noteGrant() throws(ClientError) -> Bool {
        try store.step { () throws(ClientError) in
            guard var row = try store.upload(id) else { return false }
            if !row.isGranted || row.replaces {
                (row.isGranted, row.replaces) = (true, false)
                try store.save(row)
            }
            return row.phase == .sending
        }
    }

    /// False if the user, perhaps in another process, has paused or cancelled the upload.
    func isWanted() throws(ClientError) -> Bool { try store.upload(id)?.phase == .sending }

    private static func sleep(_ milliseconds: Int64) async {
        if milliseconds > 0 { try? await Task.sleep(for: .milliseconds(milliseconds)) }
    }
}
