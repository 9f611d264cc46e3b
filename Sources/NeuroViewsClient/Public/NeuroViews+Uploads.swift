#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files on their way to the server.
extension NeuroViews {
    /// So many uploads are in the list; further ones replace the oldest that are done.
    private static let uploadsMax = 1000

    /// Uploads a file as a new recording: at once, and after ``start()`` in later runs of the app, until the server has it. The
    /// file must stay as it is until ``Upload/mayDeleteFile``.
    ///
    /// The same call again, with the same id and file, returns the upload as it is.
    ///
    /// - Parameters:
    ///   - id: The recording's id. An id is never used again, not even after a deletion.
    ///   - partSize: The bytes of each part, if the server has its files in an S3 store: 5 MiB to 5 GiB, and at most 10,000
    ///     parts. A broken connection loses the parts under way, three at most, so small ones suit unsteady networks. Nil: the
    ///     server chooses, usually 16 MiB. An upload keeps it to its end.
    ///   - sealed: Seals file and metadata, so that only devices with the user's ``RecordingKey`` can read them. The server sees the
    ///     size, the times and the key's id. It can't measure the file, and has no thumbnail. The file is lost with the key.
    /// - Throws: `.invalid` for metadata that can't be stored. `.invalidArgument` for a file that can't be read or is empty, for
    ///   an id that another upload has, for a part size out of bounds, and for too many uploads. `.sealing` without a key, and
    ///   for metadata that are too large to be sealed.
    @discardableResult
    public func upload(
        _ file: URL,
        _ metadata: RecordingMetadata,
        id: UUID = UUID(),
        partSize: Int64? = nil,
        sealed: Bool = false
    ) throws(ClientError) -> Upload {
        let upload = try queueUpload(file, metadata, id: id, partSize: partSize, sealed: sealed)
        beginUpload(id)
        return upload
    }

    /// Puts an upload into the list, for a later run.
    package func queueUpload(
        _ file: URL,
        _ metadata: RecordingMetadata,
        id: UUID = UUID(),
        partSize: Int64? = nil,
        sealed: Bool = false
    ) throws(ClientError) -> Upload {
        let store = try openedStore()
        var made = try makeUpload(file, metadata, id, partSize, sealed)
        let row = try store.step { () throws(ClientError) -> UploadRow in
            if let known = try store.upload(id) {
                guard known.path == made.path, known.identity == made.identity || known.failure == .unreadable,
                    (known.seal == nil) == (made.seal == nil) || known.failure == .unreadable
                else {
                    throw .invalidArgument("\(id.lower) is the id of another upload.")
                }
                guard known.failure == .unreadable else { return known }
                (made.isGranted, made.replaces) = (known.isGranted, known.isGranted)
            } else {
                try makeRoom(in: store)
            }
            try store.save(made)
            return made
        }
        feeds.changed([])
        return transfers.shown(row)
    }

    /// The uploads, the oldest first, also those that are done or failed.
    public func uploads() throws(ClientError) -> [Upload] {
        try openedStore().uploads().map { transfers.shown($0) }
    }

    /// One upload; nil if it is not in the list.
    public func upload(_ id: UUID) throws(ClientError) -> Upload? {
        try openedStore().upload(id).map { transfers.shown($0) }
    }

    /// Returns a stream of the states of an upload, from now on: at most ten a second, and the newest one to slow readers.
    /// It ends with `done` or `failed`, when the upload is cancelled or its account is left, and at once if it is not in the list.
    public nonisolated func progress(of upload: UUID) -> AsyncStream<Upload> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
            let task = Task { [weak self] in
                if let states = await self?.watchUpload(upload) {
                    for await state in states {
                        listener.yield(state)
                        try? await Task.sleep(for: .milliseconds(Transfers.progressPauseMs))
                    }
                }
                listener.finish()
            }
            listener.onTermination = { _ in task.cancel() }
        }
    }

    /// Stops an upload until ``resumeUpload(_:)``, also across restarts. What the server has stays there for 7 days. An upload that
    /// the server is verifying goes on.
    public func pauseUpload(_ id: UUID) throws(ClientError) {
        guard let row = try change(id, .paused) else { return }
        transfers.cancel(id)
        Task { await sweepTasks() }
        transfers.note(row, UploadNews(.paused))
        feeds.changed([])
    }

    /// Goes on with an upload that was paused, waits or has failed. One that has failed begins with the file as it is now.
    public func resumeUpload(_ id: UUID) throws(ClientError) {
        let store = try openedStore()
        guard let row = try store.upload(id) else { throw Self.unknown(id) }
        if row.phase == .waiting {
            endPause(id)
            // Nothing may run any more. A run waits for the end of a pause of the server's itself.
            return beginUpload(id)
        }
        guard let resumed = try change(id, .resumed) else { return beginUpload(id) }
        transfers.note(resumed, UploadNews(.resumed))
        beginUpload(id)
    }

    /// Removes an upload from the list. One that is done stays on the server. Of all others the server deletes what it has.
    ///
    /// - Throws: `.offline` and others if the server can't be asked. Then the upload is paused: cancel it again, or resume it.
    public func cancelUpload(_ id: UUID) async throws(ClientError) {
        let store = try openedStore()
        guard let row = try store.upload(id) else { return }
        if row.phase != .done {
            _ = try change(id, .cancelled)
            await transfers.stop(id)
            await sweepTasks()
            // It was verified meanwhile, by another process.
            if try store.upload(id)?.phase == .done { return try removeFromList(id, store) }
            // Before the server has opened it, a recording of the same id is another one.
            if try store.upload(id)?.isGranted == true { try await remove("/recordings/\(id.lower)") }
        }
        try removeFromList(id, store)
    }

    private func removeFromList(_ id: UUID, _ store: Store) throws(ClientError) {
        try store.removeUpload(id)
        transfers.forget(id)
        feeds.changed([])
    }

    private func beginUpload(_ id: UUID) {
        transfers.want(id)
        beginDueUploads()
        feeds.changed([])
    }

    private func makeUpload(
        _ file: URL,
        _ metadata: RecordingMetadata,
        _ id: UUID,
        _ partSize: Int64?,
        _ isSealed: Bool
    ) throws(ClientError) -> UploadRow {
        if let invalid = metadata.invalid { throw .invalid(invalid) }
        var metadata = metadata
        if metadata.filename == nil { metadata.filename = file.lastPathComponent }
        // Spelled as the store gives it back: one folder may have two names.
        let path = SystemDefaults.path(SystemDefaults.stored(try file.localPath()))
        let identity = try Self.identity(path)
        var row = UploadRow(
            id: id,
            path: path,
            identity: identity,
            type: isSealed ? RecordingMetadata.neutralType : metadata.type(of: file),
            metadata: metadata,
            partSize: partSize,
            addedMs: Int64(Date().timeIntervalSince1970 * 1000)
        )
        if isSealed { row.seal = try seal(for: row) }
        if let partSize { try PartSender.check(partSize, ofFile: row.transferBytes) }
        return row
    }

    /// A new seal for the file as it is now.
    private func seal(for row: UploadRow) throws(ClientError) -> UploadSeal {
        guard row.identity.size <= UploadSeal.fileMaxBytes else {
            throw .sealing(.fileTooLarge(maxBytes: UploadSeal.fileMaxBytes))
        }
        let type = row.metadata.type(of: URL(fileURLWithPath: row.path))
        return try UploadSeal(of: row.id, row.metadata, type: type, by: try keyring().sealing())
    }

    private static func identity(_ path: String) throws(ClientError) -> FileIdentity {
        do throws(LocalFileError) {
            let identity = try LocalFile(path).identity()
            if identity.size > 0 { return identity }
        } catch {
            throw .invalidArgument("\(path): \(UploadFailure(error))")
        }
        throw .invalidArgument("\(path) is empty.")
    }

    /// Changes the state of an upload. Returns nil if the event does not fit it.
    private func change(_ id: UUID, _ event: UploadEvent) throws(ClientError) -> UploadRow? {
        let store = try openedStore()
        return try store.step { () throws(ClientError) -> UploadRow? in
            guard var row = try store.upload(id) else { throw Self.unknown(id) }
            if row.phase == .failed, event == .resumed {
                if row.failure == .unreadable { throw .invalidArgument("\(row.path): \(UploadFailure.unreadable)") }
                try beginAnew(&row)
            }
            guard row.take(UploadNews(event), at: 0, transferPauses) else { return nil }
            try store.save(row)
            return row
        }
    }

    /// Takes the file as it is now. A sealed one that may have other bytes gets another key; the same bytes go on.
    private func beginAnew(_ row: inout UploadRow) throws(ClientError) {
        let identity = try Self.identity(row.path)
        let isSame = identity == row.identity && row.failure != .fileChanged && row.sha256 != nil
        row.identity = identity
        if row.seal == nil || !isSame { row.sha256 = nil }
        guard !isSame else { return }
        if row.seal != nil { row.seal = try seal(for: row) }
        (row.replaces, row.sent) = (row.isGranted, 0)
    }

    private func makeRoom(in store: Store) throws(ClientError) {
        let rows = try store.uploads()
        guard rows.count >= Self.uploadsMax else { return }
        guard let oldest = rows.first(where: { $0.phase == .done }) else {
            throw .invalidArgument("\(Self.uploadsMax) uploads are unfinished: cancel some first.")
        }
        try store.removeUpload(oldest.id)
    }

    private static func unknown(_ id: UUID) -> ClientError { .invalidArgument("There is no upload \(id.lower).") }
}
