import CloudSync
import Net
import Storage
import Uploads

/// An upload whose request has it to itself.
struct OpenedUpload {
    let row: StoredUpload
    var state: UploadState
    /// When its time is over, by the monotonic clock.
    let expiresMs: UInt64

    var limits: UploadLimits { UploadLimits(row) }

    init(_ row: StoredUpload) {
        self.row = row
        var state = UploadState(
            length: row.size,
            offset: row.offset,
            epoch: row.epoch,
            phase: UploadState.Phase(row.standing)
        )
        if row.secondsLeft <= 0 { _ = state.expire() }
        self.state = state
        expiresMs = Monotonic.nowMs() + UInt64(max(0, row.secondsLeft)) * 1000
    }
}

extension UploadState.Phase {
    fileprivate init(_ standing: UploadStanding) {
        switch standing {
        case .open: self = .open
        case .complete: self = .complete
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        case .expired: self = .expired
        }
    }
}

extension UploadStanding {
    init(_ phase: UploadState.Phase) {
        switch phase {
        case .open: self = .open
        case .complete: self = .complete
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        case .expired: self = .expired
        }
    }
}

extension UploadRoutes {
    /// The upload as it stands, put right where a server or the database ended in the middle of a transfer. Nil when something changed
    /// it meanwhile.
    func standing(_ call: UploadCall, _ dialect: UploadDialect) async throws -> OpenedUpload? {
        var upload = OpenedUpload(try await uploads.load(call.key.description, record: call.record))
        guard upload.state.phase == .open else { return upload }
        let stored = upload.state
        try await recover(&upload, call)
        // In tus the length is the end, and nobody sends an empty request to say so.
        if dialect == .tus, upload.state.phase == .open, upload.state.offset == upload.row.size {
            try await storage.finishUpload(call.key, as: call.key)
            upload.complete()
        }
        guard upload.state != stored else { return upload }
        return try await store(upload, ifEpoch: stored.epoch, call) ? upload : nil
    }

    /// Stores an upload's state as long as the epoch is still this one.
    func store(_ upload: OpenedUpload, ifEpoch epoch: Int, _ call: UploadCall) async throws -> Bool {
        // In another boot the file may have bytes behind the offset that were never written: they must be cut off first.
        let change = UploadChange(upload.state, bootID: upload.isOfBoot(settings.bootID) ? settings.bootID : nil)
        return try await uploads.store(change, of: call.key.description, ifEpoch: epoch, record: call.record)
    }

    private func recover(_ upload: inout OpenedUpload, _ call: UploadCall) async throws {
        do {
            let file = try await storage.openUpload(call.key)
            let bytes = try await file.length()
            let hasSurvived = upload.row.bootID != nil && upload.isOfBoot(settings.bootID)
            if hasSurvived, bytes > upload.state.offset { try await file.synchronize() }
            upload.state.recover(fileBytes: bytes, pageCacheSurvived: hasSurvived)
        } catch StorageError.missing {
            if try await isObject(call.key, bytes: upload.row.size) {
                upload.complete()
            } else {
                if upload.state.offset > 0 { try await store.confirmNow() }
                upload.state.recover(fileBytes: 0, pageCacheSurvived: false)
            }
        }
    }

    /// Whether the upload's file became an object, though the database was not told.
    private func isObject(_ key: ObjectKey, bytes: Int) async throws -> Bool {
        do {
            return try await storage.size(of: key) == bytes
        } catch StorageError.missing {
            return false
        }
    }
}

extension OpenedUpload {
    /// Whether what was written is of this boot; also before the first byte.
    func isOfBoot(_ bootID: String) -> Bool { row.bootID == nil || row.bootID == bootID }

    fileprivate mutating func complete() {
        state = UploadState(length: row.size, offset: row.size, epoch: state.epoch + 1, phase: .complete)
    }
}

extension UploadContent {
    /// The SHA-256 that the whole file must have.
    var sha256: [UInt8]? { representationDigests.first { $0.algorithm == .sha256 }?.bytes }
}

extension UploadChange {
    init(_ state: UploadState, bootID: String?) {
        self.init(standing: UploadStanding(state.phase), offset: state.offset, epoch: state.epoch, bootID: bootID)
    }
}
