#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The uploads of a store whose bytes the system sends, also while the app sleeps.
final class BackgroundUploads: Sendable {
    /// The name of the session, by which the system wakes the app.
    let identifier: String
    let session: any BackgroundSession
    let ends: TaskEnds
    let pieces: PieceFolder
    /// The most bytes of a piece of a file. Each is on the disk twice while it is sent.
    let pieceMaxBytes: Int64
    /// A store that is closed begins no task. Its account's next one uses the session again.
    private let isClosed = Guarded(false)

    init(
        _ identifier: String,
        _ session: any BackgroundSession,
        _ ends: TaskEnds,
        _ pieces: PieceFolder,
        pieceMaxBytes: Int64
    ) {
        (self.identifier, self.session, self.ends) = (identifier, session, ends)
        (self.pieces, self.pieceMaxBytes) = (pieces, pieceMaxBytes)
    }

    /// The tasks that the system has.
    func labels() async -> [BackgroundLabel] { await session.labels().compactMap { BackgroundLabel($0) } }

    /// True if the system sends bytes of an upload.
    func isUnderWay(_ upload: UUID) async -> Bool { await labels().contains { $0.upload == upload } }

    /// Waits until the system sends nothing of an upload any more: tasks of an earlier run of the app. What they brought, the server
    /// says. Returns false if the wait was cancelled.
    func settle(_ row: UploadRow, _ meter: UploadMeter) async -> Bool {
        let own = await labels().filter { $0.upload == row.id }
        // Their bytes are counted from their first one.
        guard let first = own.map(\.offset).min() else { return true }
        meter.begin(at: first)
        for label in own {
            let end = await ends.end(of: label.text, meter.counter(label.offset))
            if end.isCancelled { return false }
            pieces.remove(label)
        }
        return true
    }

    /// Lets the system send a request, and returns its end.
    func send(
        _ request: TransferRequest,
        file: String,
        _ label: BackgroundLabel,
        _ sent: @escaping @Sendable (Int64) -> Void
    ) async -> TaskEnds.End {
        // The other client would get its end.
        if ends.isAbandoned { return .failure(.cancelled) }
        ends.expect(label.text)
        let begins = isClosed.withLock { isClosed in
            if !isClosed { session.begin(request, file: file, label: label.text) }
            return !isClosed
        }
        guard begins else { return .failure(.cut("the store is closed")) }
        return await ends.end(of: label.text, sent)
    }

    /// Ends the tasks of uploads that are not sent any more, and removes the files that no task has. `labels` are those of all
    /// tasks.
    func sweep(_ labels: [BackgroundLabel], orphans: Set<BackgroundLabel>) {
        for label in orphans {
            session.cancel(label.text)
            pieces.remove(label)
        }
        pieces.keep(Set(labels).subtracting(orphans))
    }

    /// True if nothing of an upload happens in the app: the system has it.
    func rests(_ upload: UUID) -> Bool {
        let awaited = Set(ends.awaited.compactMap { BackgroundLabel($0) }.filter { $0.upload == upload })
        return !awaited.isEmpty && pieces.inUse(of: upload).isSubset(of: awaited)
    }

    /// Ends everything: the store is closed.
    func close() {
        // First, so that no task begins behind those that end.
        isClosed.withLock { $0 = true }
        session.close()
    }
}

extension TaskEnds.End {
    /// True if the app does not wait any more.
    fileprivate var isCancelled: Bool { if case .failure(.cancelled) = self { true } else { false } }
}

/// Hands files over to the system's session, as far as one upload needs it, and everything else to the app's own transport.
struct BackgroundTransport: Transport {
    private let row: UploadRow
    private let background: BackgroundUploads
    private let own: any Transport

    init(_ row: UploadRow, _ background: BackgroundUploads, over own: any Transport) {
        (self.row, self.background, self.own) = (row, background, own)
    }

    func send(_ request: TransferRequest, into file: DownloadFile?) async throws(TransportError) -> TransferAnswer {
        guard case .file(let region) = request.body else { return try await own.send(request, into: file) }
        try request.checkLines()
        let label = BackgroundLabel(upload: row.id, offset: region.offset)
        let body = isWhole(region) ? row.path : try await background.pieces.write(region, label)
        guard !Task.isCancelled else {
            background.pieces.remove(label)
            throw .cancelled
        }
        let end = await background.send(request, file: body, label, region.sent)
        // The system goes on with the file when nobody waits any more.
        if end.isCancelled { background.pieces.release(label) } else { background.pieces.remove(label) }
        // It was a part, or the film is gone: the next attempt opens the film itself.
        if case .failure(.file) = end { throw .cut("the system could not read what it was to send") }
        return try end.get()
    }

    /// True for the local file itself, which needs no copy.
    private func isWhole(_ region: FileRegion) -> Bool {
        region.source == nil && region.offset == 0 && region.length == row.identity.size
    }
}
