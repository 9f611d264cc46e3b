import CloudSync
import Net
import Storage
import Uploads

/// An upload that one request owns.
struct OpenedUpload {
    let row: StoredUpload
    var state: UploadState
    /// The end of its lifetime, by the monotonic clock.
    let expiresMs: UInt64

    var limits: UploadLimits { UploadLimits(row) }

    init(_ row: StoredUpload) {
        self.row = row
        var state = UploadState(length: row.size, offset: row.offset, epoch: row.epoch, phase: row.phase)
        if row.secondsLeft <= 0 { _ = state.expire() }
        self.state = state
        expiresMs = Monotonic.nowMs() + UInt64(max(0, row.secondsLeft)) * 1000
    }
}

extension UploadRoutes {
    /// Loads the upload and repairs it if a server or the database ended in the middle of a transfer. Returns nil
    /// when something changed it meanwhile.
    func standing(_ call: UploadCall, _ dialect: UploadDialect) async throws -> OpenedUpload? {
        var upload = OpenedUpload(try await uploads.load(call.key.description, record: call.record))
        guard upload.state.phase == .open else { return upload }
        let stored = upload.state
        try await recover(&upload, call)
        // In tus the length marks the end: no client sends an empty request to complete the upload.
        if dialect == .tus, upload.state.phase == .open, upload.state.offset == upload.row.size {
            try await storage.finishUpload(call.key, as: call.key)
            upload.complete()
        }
        guard upload.state != stored else { return upload }
        return try await store(upload.change(settings.bootID), ifEpoch: stored.epoch, call) ? upload : nil
    }

    /// Stores the change of an upload if the epoch is still this one. Returns false otherwise.
    func store(_ change: UploadChange, ifEpoch epoch: Int, _ call: UploadCall) async throws -> Bool {
        try await uploads.store(change, of: call.key.description, ifEpoch: epoch, record: call.record)
    }

    private func recover(_ upload: inout OpenedUpload, _ call: UploadCall) async throws {
        do {
            let file = try await storage.openUpload(call.key)
            let bytes = try await file.length()
            let allCount = upload.row.bootID == settings.bootID
            if allCount, bytes > upload.state.offset { try await flush(file, upload, call) }
            upload.state.recover(fileBytes: bytes, allCount: allCount)
        } catch StorageError.missing {
            if try await isObject(call.key, bytes: upload.row.size) {
                upload.complete()
            } else {
                if upload.state.offset > 0 { try await store.confirmNow() }
                upload.state.recover(fileBytes: 0, allCount: false)
            }
        }
    }

    /// After a failure the bytes beyond the offset may be lost, and another flush would succeed: they never count.
    private func flush(_ file: UploadFile, _ upload: OpenedUpload, _ call: UploadCall) async throws {
        do {
            try await file.synchronize()
        } catch {
            let change = UploadChange(upload.state, bootID: UploadChange.noBoot)
            _ = try await store(change, ifEpoch: upload.state.epoch, call)
            throw error
        }
    }

    /// Returns true if the upload's file already is an object, though the database does not know it.
    private func isObject(_ key: ObjectKey, bytes: Int) async throws -> Bool {
        do {
            return try await storage.size(of: key) == bytes
        } catch StorageError.missing {
            return false
        }
    }
}

extension OpenedUpload {
    /// True if the written bytes are of this boot; also before the first byte.
    func isOfBoot(_ bootID: String) -> Bool { row.bootID == nil || row.bootID == bootID }

    /// The change to store, in this boot.
    func change(_ bootID: String) -> UploadChange {
        // In another boot the file may have bytes after the offset that were never written: they must be cut off first.
        UploadChange(state, bootID: isOfBoot(bootID) ? bootID : nil)
    }

    /// Throws `otherDigest` when a request has another SHA-256 of the file than an earlier one.
    func requireSameDigest(_ wish: UploadRequest) throws(UploadRefusal) {
        guard let known = row.sha256, let given = wish.content?.sha256, given != known else { return }
        throw .otherDigest
    }

    fileprivate mutating func complete() {
        state = UploadState(length: row.size, offset: row.size, epoch: state.epoch + 1, phase: .complete)
    }
}

extension UploadChange {
    /// Matches no boot: bytes after the offset don't count, until a transfer cuts them off and begins.
    static let noBoot = "00000000-0000-0000-0000-000000000000"

    /// Records the digest of an admitted request. Until the digest of its content
    /// was compared, its bytes must not count.
    mutating func note(_ wish: UploadRequest, _ admission: UploadAdmission) {
        sha256 = wish.content?.sha256
        if case .transfer(let transfer) = admission, !transfer.showsProgress { bootID = Self.noBoot }
    }

    init(_ state: UploadState, bootID: String?) {
        self.init(phase: state.phase, offset: state.offset, epoch: state.epoch, bootID: bootID)
    }
}
