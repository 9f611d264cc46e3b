import CloudSync
import HTTP
import Net
import Storage
import Uploads

/// Writes the content of one request into the upload's file, piece by piece, and updates the database.
struct UploadReception {
    /// The most bytes that a power loss may cost.
    private static let checkpointBytes = 64 << 20

    let call: UploadCall
    let answers: UploadAnswers
    let uploads: UploadService
    let storage: DiskStorage
    let transfer: UploadTransfer
    let limits: UploadLimits
    private var expiresMs: UInt64
    let file: UploadFile
    private(set) var state: UploadState
    /// The offset of the next piece.
    private var position: Int
    private var content: DigestCheck
    private var whole: DigestCheck
    /// The first failure to put bytes on the disk. Linux reports it once: another flush would succeed.
    private var lost: (any Error)?

    init(
        _ transfer: UploadTransfer,
        into file: UploadFile,
        _ upload: OpenedUpload,
        _ call: UploadCall,
        _ answers: UploadAnswers,
        _ routes: UploadRoutes
    ) {
        self.call = call
        self.answers = answers
        self.transfer = transfer
        self.file = file
        uploads = routes.uploads
        storage = routes.storage
        limits = upload.limits
        expiresMs = upload.expiresMs
        state = upload.state
        position = transfer.start
        content = DigestCheck(transfer.content.contentDigests)
        // Existing bytes have not been read. The SHA-256 is stored, and compared when the file is read back.
        whole = DigestCheck(transfer.start == 0 ? transfer.content.representationDigests : [])
    }

    /// Reads to the end. Throws the reason of a failure.
    mutating func read(_ stream: BodyStream) async throws {
        while let piece = try await stream.received() {
            try await checkTime()
            let end = position + piece.count
            // Past the end the upload fails.
            if end > state.length ?? .max { try state.checkpoint(transfer, offset: end, limits: limits) }
            try await append(piece)
            position = end
            if transfer.showsProgress, position - state.offset >= Self.checkpointBytes { try await checkpoint() }
        }
    }

    /// Digests are computed on the thread that writes the piece: on the loop they would delay other connections.
    private mutating func append(_ piece: [UInt8]) async throws {
        (content, whole) = try await file.append(piece, at: position) { [content, whole] in
            var (content, whole) = (content, whole)
            content.update(piece.span)
            whole.update(piece.span)
            return (content, whole)
        }
    }

    /// Ends a transfer that outlasts its upload, unless the client has got more time meanwhile. The sweep deletes the
    /// upload, and waits with it while the clock is doubted.
    private mutating func checkTime() async throws {
        guard Monotonic.nowMs() >= expiresMs else { return }
        let upload = OpenedUpload(try await uploads.load(call.key.description, record: call.record))
        guard upload.state.phase == .open else { throw UploadRefusal.notActive(.expired) }
        expiresMs = upload.expiresMs
    }

    private mutating func checkpoint() async throws {
        try await flush()
        try state.checkpoint(transfer, offset: position, limits: limits)
        try await store()
        await call.report(state.offset, answers)
    }

    private mutating func flush() async throws {
        if let lost { throw lost }
        do {
            try await file.synchronize()
        } catch {
            lost = error
            throw error
        }
    }

    /// Stores the received bytes, and turns a complete upload into an object. `failure` is the reason why
    /// the content was not read to its end. Throws `UploadRefusal` when the upload is refused or has
    /// another owner, and errors of storing.
    mutating func finish(_ failure: (any Error)?) async throws {
        if state.phase != .open { return try await fail(failure) }
        let isWhole = failure == nil
        do {
            if position > state.offset { try await flush() }
        } catch {
            // It is unknown which of these bytes are on the disk. If this cut fails, the next transfer repeats it.
            try? await file.truncate(to: state.offset)
            position = state.offset
            try await close(.interrupted)
            throw error
        }
        try await close(isWhole ? .whole : .interrupted)
        if let failure { throw failure }
    }

    private mutating func close(_ end: UploadTransfer.End) async throws {
        do {
            let isComplete = try state.finish(
                transfer,
                offset: position,
                end,
                content: content.verdict,
                representation: whole.verdict,
                limits: limits
            )
            if isComplete { try await makeObject() } else { try await cutOffRest() }
        } catch UploadRefusal.superseded {
            // The file belongs to another request now.
            throw UploadRefusal.superseded
        } catch let refusal as UploadRefusal {
            if state.phase == .failed { return try await fail(refusal) }
            try await cutOffRest()
            try await store()
            throw refusal
        }
        try await store()
    }

    /// Removes bytes that don't count.
    private func cutOffRest() async throws {
        if position > state.offset { try await file.truncate(to: state.offset) }
    }

    private func makeObject() async throws {
        // A file that another server's request writes must not get its final name.
        guard try await isOwned() else { throw UploadRefusal.superseded }
        try await storage.finishUpload(call.key, as: call.key)
    }

    /// Ends an upload that can't be finished any more.
    private func fail(_ reason: (any Error)?) async throws {
        try await store()
        try await storage.deleteUpload(call.key)
        if let reason { throw reason }
    }

    /// Throws `superseded` when a newer request of another server has the upload, or its recording was deleted.
    private func store() async throws {
        let change = UploadChange(state, bootID: lost == nil ? nil : UploadChange.noBoot)
        let key = call.key.description
        guard try await !uploads.store(change, of: key, ifEpoch: transfer.epoch, record: call.record) else { return }
        _ = try await isOwned()
        throw UploadRefusal.superseded
    }

    /// Returns true if no newer request has the upload. Deletes the received bytes if the recording was deleted.
    private func isOwned() async throws -> Bool {
        do {
            return try await uploads.load(call.key.description, record: call.record).epoch == transfer.epoch
        } catch CloudSyncError.problem(.notFound) {
            try await storage.deleteUpload(call.key)
            try await storage.delete(call.key)
            return false
        }
    }
}
