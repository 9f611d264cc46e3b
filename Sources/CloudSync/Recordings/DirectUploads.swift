import Net
import Postgres
import Storage
import Uploads

/// The URLs and fields for an upload straight to S3.
package struct DirectUpload: Sendable {
    /// One PUT of the whole file. For a file of more than 5 GiB: the first missing part.
    package let url: String
    /// The fields that each PUT must have, besides its length.
    package let fields: [String: String]
    /// The number of stored bytes, counted from the beginning without a gap.
    package let offset: Int
    /// The size of each part but the last, in bytes.
    package let partBytes: Int
    /// The number of parts.
    package let partCount: Int
    /// Some of the missing parts, ordered by number.
    package let parts: [Part]

    /// A missing part.
    package struct Part: Sendable {
        /// Counted from 1.
        package let number: Int
        /// Its size.
        package let bytes: Int
        /// The URL for its PUT.
        package let url: String
    }
}

/// Uploads straight from the client to S3. Each is a multipart upload, even for a small file: its URLs end with the
/// upload (`S3Storage.latePartChangesObject` finds services where they don't). The URL of a simple PUT could replace the
/// file until it expires.
package struct DirectUploads: Sendable {
    private let database: CallerDatabase
    private let s3: S3Storage
    private let completing = CompletingTurns()

    /// Limit of parts in a response.
    package static let offeredMax = 100
    /// The maximum lifetime of a URL in S3.
    private static let lifetimeMaxS = 604_800
    private static let triesMax = 4

    /// Takes the database of the uploads, and their store.
    package init(database: Database, s3: S3Storage) {
        self.database = CallerDatabase(database)
        self.s3 = s3
    }

    /// Returns how to continue an upload: its missing parts, from `firstPart` on. Throws `.notFound` for an unknown
    /// upload, and `StorageError`.
    package func offer(_ grant: UploadGrant, firstPart: Int) async throws -> DirectUpload {
        var upload = try OpenDirectUpload(grant.file)
        for _ in 0..<Self.triesMax {
            if upload.file.upload == .complete { return offer(upload, nil, firstPart) }
            do {
                if let id = upload.file.multipartID {
                    return offer(upload, try await s3.parts(of: upload.key, uploadID: id), firstPart)
                }
            } catch StorageError.missing {
                // It was completed but the response was lost, or the service has dropped it.
                if try await isStored(upload) { return offer(upload, nil, firstPart) }
            }
            upload = try await begin(upload)
        }
        throw StorageError.unavailable("the multipart upload of \(grant.objectKey) vanishes")
    }

    /// Makes an object of the parts if all are there; otherwise notes the stored bytes. To be called before `complete`,
    /// any number of times. Throws `StorageError`; `.busy` while another recording of the account is being completed.
    package func settle(_ id: String, for caller: Caller) async throws {
        let find = JobSQL.file(.text(caller.userID), .text(id.lowercased()))
        guard let file = try await database.read(for: caller, find).first, file.upload == .open,
            let multipartID = file.multipartID
        else { return }
        let upload = try OpenDirectUpload(file)
        do {
            let parts = try await s3.parts(of: upload.key, uploadID: multipartID)
            guard let whole = upload.plan.complete(parts) else {
                return try await note(.open, upload.plan.offset(parts), upload)
            }
            try completing.begin(caller.userID)
            defer { completing.end(caller.userID) }
            try await s3.completeMultipartUpload(upload.key, uploadID: multipartID, parts: whole)
        } catch StorageError.missing {
            guard try await isStored(upload) else { return try await note(.open, 0, upload) }
        }
        do {
            try await note(.complete, file.size, upload)
        } catch {
            await removeIfNobodys(upload)
            throw error
        }
        await removeIfNobodys(upload)
    }

    /// Removes an object whose recording or account was erased while the object was made. The removal of its objects
    /// ran too early then. If this fails, the sweep removes it. Errors of the store are counted there.
    private func removeIfNobodys(_ upload: OpenDirectUpload) async {
        let files = await database.aside("search for a recording", JobSQL.hasFile(.text(upload.file.objectKey)))
        if files?.isEmpty == true { try? await RecordingObject.remove(upload.file.objectKey, from: .s3(s3)) }
    }

    /// Begins a multipart upload; returns the upload with its new state. When several requests begin one at once, the
    /// first one counts; the others are aborted.
    private func begin(_ upload: OpenDirectUpload) async throws -> OpenDirectUpload {
        let id = try await s3.createMultipartUpload(upload.key, contentType: upload.file.contentType)
        let object = Parameter.text(upload.file.objectKey)
        let store = DirectUploadSQL.begin(object, .text(upload.file.multipartID), .text(id))
        if try await !database.background(store).isEmpty {
            var begun = upload
            begun.file.multipartID = id
            return begun
        }
        try await s3.abortMultipartUpload(upload.key, uploadID: id)
        guard let file = try await database.background(DirectUploadSQL.load(object)).first else {
            throw CloudSyncError.problem(.notFound)
        }
        return try OpenDirectUpload(file)
    }

    private func isStored(_ upload: OpenDirectUpload) async throws -> Bool {
        do {
            return try await s3.size(of: upload.key) == upload.file.size
        } catch StorageError.missing {
            return false
        }
    }

    private func note(_ phase: UploadState.Phase, _ offset: Int, _ upload: OpenDirectUpload) async throws {
        // Stores nothing if another request was faster. The caller reads the recording again in any case.
        let store = UploadSQL.store(
            .text(upload.file.objectKey),
            .int(upload.file.epoch),
            .text(phase.rawValue),
            .int(offset),
            .int(upload.file.epoch),
            .null,
            .null
        )
        _ = try await database.background(store)
    }

    /// `parts` is nil when all parts are stored.
    private func offer(_ upload: OpenDirectUpload, _ parts: [S3Part]?, _ firstPart: Int) -> DirectUpload {
        let plan = upload.plan
        let stored = parts.map { Set($0.filter(plan.isOwn).map(\.number)) }
        let isComplete = parts.map { plan.complete($0) != nil } ?? true
        let missing = isComplete ? [] : (1...plan.partCount).filter { stored?.contains($0) != true }
        let asked = missing.drop { $0 < firstPart }.prefix(Self.offeredMax)
        let whole = url(upload, plan.mayBeWhole ? 1 : missing.first ?? 1, plan.mayBeWhole ? upload.file.size : nil)
        return DirectUpload(
            url: whole,
            fields: ["Content-Type": upload.file.contentType],
            offset: isComplete ? upload.file.size : plan.offset(parts ?? []),
            partBytes: plan.partBytes,
            partCount: plan.partCount,
            parts: asked.map { .init(number: $0, bytes: plan.bytes(ofPart: $0), url: url(upload, $0)) }
        )
    }

    private func url(_ upload: OpenDirectUpload, _ number: Int, _ bytes: Int? = nil) -> String {
        s3.presignedPart(
            upload.key,
            uploadID: upload.file.multipartID ?? "",
            number: number,
            bytes: bytes ?? upload.plan.bytes(ofPart: number),
            contentType: upload.file.contentType,
            expiresS: max(1, min(upload.file.secondsLeft, Self.lifetimeMaxS))
        ).url
    }
}

/// The accounts that are completing an upload. A large upload may take minutes and occupies a thread of the store's
/// pool. Limits: one per account, and half of the threads in all.
private final class CompletingTurns: Sendable {
    private let users = Locked<Set<String>>([])
    private static let usersMax = 4

    func begin(_ userID: String) throws(StorageError) {
        let hasBegun = users.withLock { $0.count < Self.usersMax && $0.insert(userID).inserted }
        guard hasBegun else { throw .busy }
    }

    func end(_ userID: String) { users.withLock { _ = $0.remove(userID) } }
}

extension UploadPlan {
    /// The number of stored bytes, counted from the beginning without a gap.
    fileprivate func offset(_ parts: [S3Part]) -> Int {
        guard complete(parts) == nil else { return bytes }
        var offset = 0
        for part in parts.filter(isOwn) {
            guard part.number == offset / partBytes + 1 else { break }
            offset += part.bytes
        }
        return offset
    }
}

/// An upload to S3, as stored in the database.
private struct OpenDirectUpload: Sendable {
    let key: ObjectKey
    var file: RecordingFile

    var plan: UploadPlan { UploadPlan(bytes: file.size, partBytes: file.partBytes) }

    init(_ file: RecordingFile) throws(UnexpectedResult) {
        guard let key = ObjectKey(file.objectKey) else { throw UnexpectedResult("the name of an object is malformed") }
        (self.key, self.file) = (key, file)
    }
}

private enum DirectUploadSQL {
    /// $1 object.
    static let load = Query("SELECT \(RecordingFile.columns) FROM recording_files f WHERE f.object_key = $1::text") {
        columns throws(UnexpectedResult) in try RecordingFile(&columns)
    }

    /// $1 object, $2 its current upload id, $3 the new one.
    static let begin = Query(
        """
        UPDATE recording_files SET multipart_id = $3::text
        WHERE object_key = $1::text AND multipart_id IS NOT DISTINCT FROM $2::text AND upload = 'open' RETURNING true
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }
}
