import NeuroViewsJSON
import Postgres
import Uploads

/// The state of a recording.
package enum RecordingState: String, Sendable, CaseIterable, ColumnValue {
    /// Bytes are missing, or the metadata have not been sent.
    case uploading
    /// Waits for its verification.
    case pending
    /// Verified; waits for its measurement.
    case processing
    /// Verified, and measured as far as possible.
    case ready
    /// Failed; `failure` has the reason.
    case failed

    /// The state for clients. `pending` and `processing` are internal steps, and look the same to clients.
    var shown: RecordingState { self == .processing ? .pending : self }
}

/// The stage of an upload, stored as the type `upload_state`.
extension UploadState.Phase: ColumnValue {}

/// A client's request for an upload URL.
package struct UploadWish: Sendable {
    /// Limit of an encryption envelope as JSON without white space.
    package static let encryptionMaxBytes = 16 << 10

    /// The file's size, in bytes.
    package var size: Int
    /// Its media type.
    package var contentType: String
    /// The device that recorded it; nil: the device of the session.
    package var deviceID: String?
    /// The configuration used for the recording, and the tag of its version.
    package var configuration: (id: String, version: String?)?
    /// SHA-256 of the file, if the client knows it already.
    package var sha256: [UInt8]?
    /// The envelope of an end-to-end encrypted recording, stored with unknown members. See `SealedRecording`.
    package var encryption: JSONValue?
    /// The size of the parts of an upload to S3; nil: the usual one.
    package var partBytes: Int?
    /// True if an upload of another file that is under way ends.
    package var replaces = false

    /// Takes the size and the media type.
    package init(size: Int, contentType: String) {
        self.size = size
        self.contentType = contentType
    }
}

/// The object of a recording, and its upload: a row of `recording_files`.
struct RecordingFile: Sendable {
    let spelledID: String
    var state: RecordingState
    var failure: String?
    let objectKey: String
    let size: Int
    let contentType: String
    let sha256: [UInt8]?
    var verifiedSHA256: [UInt8]?
    var verifiedAt: Timestamp?
    let encryption: JSONValue?
    let deviceID: String?
    let configurationID: String?
    /// The tag from the request, even if this history has no such version.
    let configurationVersion: String?
    /// True if this history has that version. A configuration may be synced after the upload was requested, and a
    /// restore may lose its version.
    let hasConfigurationVersion: Bool
    let upload: UploadState.Phase
    let uploadOffset: Int
    let expiresAt: Timestamp
    let uploadedAt: Timestamp?
    /// The time of the first request for the upload.
    let askedAt: Timestamp
    var probe: JSONValue?
    /// Counts the requests that have taken over the upload.
    let epoch: Int
    /// In S3: the id of the multipart upload.
    var multipartID: String?
    /// In S3: the size of its parts; nil: the usual one.
    let partBytes: Int?
    /// True if the recording has failed, and its file is sent once more.
    let isSentAgain: Bool
    /// The seconds until the upload expires.
    let secondsLeft: Int

    static let columns = """
        f.spelled_id, f.state, f.failure, f.object_key, f.size, f.content_type, f.sha256, f.verified_sha256,
        \(Timestamp.sql("f.verified_at")), f.encryption, f.device_id, f.configuration_id, f.configuration_version,
        \(hasConfigurationVersion), f.upload, f.upload_offset, \(Timestamp.sql("f.expires_at")),
        \(Timestamp.sql("f.uploaded_at")), \(Timestamp.sql("f.asked_at")), f.probe, f.epoch, f.multipart_id,
        f.part_bytes, f.is_sent_again, ceil(extract(epoch FROM f.expires_at - now()))::bigint
        """

    /// Uses the index on the key with the tag's number. Row-level security keeps expressions out of index conditions,
    /// so a subquery makes the number a value.
    private static let hasConfigurationVersion = """
        EXISTS (
            SELECT FROM (SELECT substring(f.configuration_version FROM '^([0-9]{1,9})-')::int AS number OFFSET 0) tag
            JOIN configuration_versions v ON v.version = tag.number
            WHERE v.user_id = f.user_id AND v.id = f.configuration_id
                AND encode(substr(v.chain, 1, 6), 'hex') = substring(f.configuration_version FROM '-(.*)$'))
        """

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        spelledID = try columns.next()
        state = try columns.next()
        failure = try columns.next()
        objectKey = try columns.next()
        size = try columns.next()
        contentType = try columns.next()
        sha256 = (try columns.next() as Bytea?)?.bytes
        verifiedSHA256 = (try columns.next() as Bytea?)?.bytes
        verifiedAt = try columns.next()
        encryption = try Self.json(&columns)
        deviceID = try columns.next()
        configurationID = try columns.next()
        configurationVersion = try columns.next()
        hasConfigurationVersion = try columns.next()
        upload = try columns.next()
        uploadOffset = try columns.next()
        expiresAt = try columns.next()
        uploadedAt = try columns.next()
        askedAt = try columns.next()
        probe = try Self.json(&columns)
        epoch = try columns.next()
        multipartID = try columns.next()
        partBytes = try columns.next()
        isSentAgain = try columns.next()
        secondsLeft = try columns.next()
    }

    private static func json(_ columns: inout Columns) throws(UnexpectedResult) -> JSONValue? {
        guard let text: [UInt8] = try columns.next() else { return nil }
        do {
            return try JSONParser.parse(text, policy: .rfc8259)
        } catch {
            throw UnexpectedResult("a stored value is no JSON: \(error)")
        }
    }

    /// The stage of the upload now.
    var phase: UploadState.Phase { upload == .open && secondsLeft <= 0 ? .expired : upload }

    /// True if the file may still come, or is here and waits for its metadata. To be asked after `RecordingSQL.dropEnded`,
    /// which leaves an upload that has ended only if the clock is doubted.
    var isUnderWay: Bool { state == .uploading || isSentAgain }

    /// True if the request asks for the same upload again. The stored digest may have arrived later, with the bytes. A
    /// request without a device may come from another session of the same app.
    func isAsked(for wish: UploadWish) -> Bool {
        isFile(of: wish) && (wish.deviceID == nil || deviceID == wish.deviceID)
            && configurationID == wish.configuration?.id && configurationVersion == wish.configuration?.version
    }

    /// True if it may be the file of the request.
    func isFile(of wish: UploadWish) -> Bool {
        size == wish.size && contentType == wish.contentType && (wish.sha256 == nil || sha256 == wish.sha256)
            && encryption == wish.encryption
    }
}
