import Media
import Net
import NeuroViewsCrypto
import Postgres
import Tracing
import Uploads

/// A file to send.
package struct Download: Sendable {
    /// The object's name in the store.
    package let objectKey: String
    /// Its media type.
    package let contentType: String
    /// The name for a saved file.
    package let filename: String?
    /// The expected size in bytes; nil: not checked.
    package let size: Int?
    /// True if the file never changes. A thumbnail may be replaced at any time.
    package let isFixed: Bool
}

/// Makes download URLs and resolves them.
package struct DownloadService: Sendable {
    /// The reason why a thumbnail or a preview is missing.
    package enum Missing: Error, Equatable {
        /// The server is still making it, or the client has not sent it yet.
        case notReady(DownloadLink.Part)
        /// It will never exist.
        case unavailable(DownloadLink.Part)
    }

    private let database: CallerDatabase
    let keys: KeyRing
    private let makesPreviews: Bool
    let now: @Sendable () -> Int
    /// To be called with the number of sent bytes of a file.
    package let reportSent: @Sendable (Int) -> Void

    /// Reads `database`; `keys` sign the links. `now` returns Unix seconds.
    package init(
        database: Database,
        keys: KeyRing,
        makesPreviews: Bool = false,
        now: @escaping @Sendable () -> Int,
        reportSent: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.makesPreviews = makesPreviews
        self.now = now
        self.reportSent = reportSent
    }

    /// Returns the last part of a download URL. Throws `Missing`, `.notFound`, `.uploadIncomplete`.
    package func link(_ part: DownloadLink.Part, of id: String, for caller: Caller) async throws -> String {
        try await grant(part, of: id, for: caller).text(keys.current)
    }

    /// Returns the same file for a response without a link. Same errors.
    package func download(_ part: DownloadLink.Part, of id: String, for caller: Caller) async throws -> Download {
        try await download(grant(part, of: id, for: caller), share: caller.userID)
    }

    private func grant(_ part: DownloadLink.Part, of id: String, for caller: Caller) async throws -> DownloadLink {
        let file = try await database.readOne(for: caller, DownloadSQL.file(.text(caller.userID), .text(id)))
        try file.check(part)
        if part == .preview, !file.hasPreview { throw try await whyNoPreview(file, caller.record) }
        return DownloadLink(part, objectKey: file.objectKey, expiresAt: now() + DownloadLink.lifetimeSeconds)
    }

    private func whyNoPreview(_ file: DownloadableFile, _ record: RequestRecord?) async throws -> Missing {
        let isPossible = PreviewObject.isPossible(contentType: file.contentType, isEncrypted: file.isEncrypted)
        guard makesPreviews, isPossible else { return .unavailable(.preview) }
        if file.isComing { return .notReady(.preview) }
        // Only the background role can read jobs.
        let jobs = try await database.background(JobSQL.hasPreviewJob(.text(file.objectKey)), record: record)
        let isDue = jobs.first == true
        return isDue ? .notReady(.preview) : .unavailable(.preview)
    }

    /// Returns the complete files of these recordings by id, in lower case. Ids without one are left out.
    package func files(of ids: [String], for caller: Caller) async throws -> [String: ExportedFile] {
        guard !ids.isEmpty else { return [:] }
        let list = "{\(ids.joined(separator: ","))}"
        let found = try await database.read(for: caller, DownloadSQL.files(.text(caller.userID), .text(list)))
        return Dictionary(found.map { ($0.id, $0.file) }) { first, _ in first }
    }

    /// Resolves a link. Throws `DownloadLink.Refusal`; `.notFound` for a recording that was deleted meanwhile, and
    /// `Missing` for a thumbnail, whose link is given out before it exists. Clients take turns by their site; `address` is nil behind a Unix socket.
    package func download(_ text: String, from address: IPAddress? = nil) async throws -> Download {
        try await download(DownloadLink(text, keys, nowS: now()), share: address?.site.description)
    }

    private func download(_ link: DownloadLink, share: String?) async throws -> Download {
        let found = try await database.background(DownloadSQL.download(.text(link.objectKey)), share: share)
        guard let (file, filename) = found.first else { throw CloudSyncError.problem(.notFound) }
        if link.part == .thumbnail { try file.check(.thumbnail) }
        return download(
            link.part,
            link.objectKey,
            file.contentType,
            filename,
            size: file.size,
            isEncrypted: file.isEncrypted
        )
    }

    /// Returns the download for a part of a recording.
    func download(
        _ part: DownloadLink.Part,
        _ objectKey: String,
        _ contentType: String,
        _ filename: String?,
        size: Int?,
        isEncrypted: Bool
    ) -> Download {
        switch part {
        case .content:
            return Download(
                objectKey: objectKey,
                contentType: contentType,
                filename: filename,
                size: size,
                isFixed: true
            )
        case .thumbnail:
            let key = ThumbnailObject.key(of: objectKey)
            return Download(shown: key, contentType: ThumbnailObject.type(isEncrypted), isFixed: false)
        case .preview:
            let key = PreviewObject.key(of: objectKey)
            return Download(shown: key, contentType: PreviewObject.contentType, isFixed: true)
        }
    }
}

extension Download {
    /// For a thumbnail or preview.
    fileprivate init(shown objectKey: String, contentType: String, isFixed: Bool) {
        self.init(objectKey: objectKey, contentType: contentType, filename: nil, size: nil, isFixed: isFixed)
    }
}

/// The object of a recording's thumbnail.
package enum ThumbnailObject {
    /// Its name in the store.
    package static func key(of objectKey: String) -> String { objectKey + ".thumb" }

    /// The client's ciphertext has no other type.
    static func type(_ isEncrypted: Bool) -> String { isEncrypted ? "application/octet-stream" : "image/jpeg" }
}

/// The downloads of a caller's recording.
struct DownloadableFile: Sendable {
    let objectKey: String
    let state: RecordingState
    let size: Int
    let uploadOffset: Int
    let phase: UploadState.Phase
    let hasThumbnail: Bool
    let isEncrypted: Bool
    let contentType: String
    let hasPreview: Bool

    /// Throws if the part is not there. Previews are not checked here.
    func check(_ part: DownloadLink.Part) throws {
        switch part {
        // A failed recording has no file while it is sent again.
        case .content where state == .uploading || state == .failed && phase != .complete:
            throw CloudSyncError.uploadIncomplete(offset: uploadOffset, size: size, phase)
        case .content: return
        case .thumbnail where hasThumbnail: return
        case .thumbnail:
            // The client sends the thumbnail of an encrypted recording, at any time.
            throw isComing && hasPicture || isEncrypted ? DownloadService.Missing.notReady(part) : .unavailable(part)
        case .preview: return
        }
    }

    private var hasPicture: Bool { MediaFormat(contentType: contentType)?.hasPicture == true }

    /// True if the file is not processed yet.
    var isComing: Bool { state == .uploading || state == .pending || state == .processing }
}

extension DownloadableFile {
    fileprivate static let columns = """
        f.object_key, f.state, f.size, f.upload_offset,
        CASE WHEN f.upload = 'open' AND f.expires_at <= now() THEN 'expired' ELSE f.upload END, f.has_thumbnail,
        f.encryption IS NOT NULL, f.content_type, f.has_preview
        """

    fileprivate init(_ columns: inout Columns) throws(UnexpectedResult) {
        objectKey = try columns.next()
        state = try columns.next()
        size = try columns.next()
        uploadOffset = try columns.next()
        phase = try columns.next()
        hasThumbnail = try columns.next()
        isEncrypted = try columns.next()
        contentType = try columns.next()
        hasPreview = try columns.next()
    }
}

private enum DownloadSQL {
    /// $1 user, $2 id.
    static let file = Query(
        "SELECT \(DownloadableFile.columns) FROM recording_files f WHERE f.user_id = $1::uuid AND f.id = $2::uuid"
    ) { columns throws(UnexpectedResult) in try DownloadableFile(&columns) }

    /// The files that can be downloaded. $1 user, $2 ids.
    static let files = Query(
        """
        SELECT f.id, f.object_key, f.content_type, (
                SELECT r.document::json->>'filename' FROM recordings r WHERE r.user_id = f.user_id AND r.id = f.id
            ), f.encryption IS NOT NULL, f.has_thumbnail, f.has_preview
        FROM recording_files f
        WHERE f.user_id = $1::uuid AND f.id = ANY ($2::uuid[])
            AND NOT (f.state = 'uploading' OR f.state = 'failed' AND f.upload <> 'complete')
        """
    ) { columns throws(UnexpectedResult) in (id: try columns.next() as String, file: try ExportedFile(&columns)) }

    /// Finds no file of an account that is disabled or being erased: a link needs no session, and may be two days old.
    ///
    /// $1 object.
    static let download = Query(
        """
        SELECT \(DownloadableFile.columns), r.document::json->>'filename'
        FROM recording_files f LEFT JOIN recordings r ON r.user_id = f.user_id AND r.id = f.id
        WHERE f.object_key = $1::text
            AND \(RecordingSQL.isOfUsableAccount)
            AND NOT EXISTS (SELECT FROM account_erasures e WHERE e.account = f.user_id)
        """
    ) { columns throws(UnexpectedResult) in
        (file: try DownloadableFile(&columns), filename: try columns.next() as String?)
    }
}
