import NeuroViewsCrypto
import Postgres
import Tracing
import Uploads

/// An upload, as stored in the database.
package struct StoredUpload: Sendable {
    /// The owner of its recording.
    package let userID: String
    /// The recording's id.
    package let id: String
    /// Length of the whole file, in bytes.
    package let size: Int
    /// Its stage; an expired one may still be `open` here.
    package let phase: UploadState.Phase
    /// The number of safely stored bytes.
    package let offset: Int
    /// Counts the requests that have taken over the upload.
    package let epoch: Int
    /// The machine's boot in which the last bytes were written; nil before the first.
    package let bootID: String?
    /// The seconds until it expires; 0 or less when it has expired.
    package let secondsLeft: Int
    /// The SHA-256 that the client has given, with its request or with bytes.
    package let sha256: [UInt8]?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        userID = try columns.next()
        id = try columns.next()
        size = try columns.next()
        phase = try columns.next()
        offset = try columns.next()
        epoch = try columns.next()
        bootID = try columns.next()
        secondsLeft = try columns.next()
        sha256 = (try columns.next() as Bytea?)?.bytes
    }
}

/// The new values of an upload.
package struct UploadChange: Sendable {
    /// The new stage. With `.complete` the time is stored, too, and the upload expires a lifetime later.
    package var phase: UploadState.Phase
    /// The number of safely stored bytes.
    package var offset: Int
    /// Counts the requests that have taken over the upload.
    package var epoch: Int
    /// The boot in which counted bytes are written from now on; nil: unchanged.
    package var bootID: String?
    /// The client's SHA-256 of the whole file. An earlier one is kept.
    package var sha256: [UInt8]?

    /// Takes the values.
    package init(phase: UploadState.Phase, offset: Int, epoch: Int, bootID: String? = nil) {
        self.phase = phase
        self.offset = offset
        self.epoch = epoch
        self.bootID = bootID
    }
}

/// The uploads behind upload URLs. The URL's token is the permission, so there is no caller.
package struct UploadService: Sendable {
    private let database: CallerDatabase
    private let keys: KeyRing
    /// To be called for each request that resumes an interrupted upload.
    package let noteResumed: @Sendable () -> Void

    /// Stores uploads in `database`; `keys` sign the tokens.
    package init(database: Database, keys: KeyRing, noteResumed: @escaping @Sendable () -> Void = {}) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.noteResumed = noteResumed
    }

    /// Returns the object that a token names. Throws `.notFound` for an invalid token.
    package func objectKey(ofToken token: String) throws(CloudSyncError) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let master = keys[kid: parts[1]], let proof = Base64.url.decode(parts[2]),
            constantTimeEquals(proof, master.uploadProof(parts[0]))
        else { throw .problem(.notFound) }
        return parts[0]
    }

    /// Returns an upload. Throws `.notFound` if it was cancelled or its recording was deleted.
    package func load(_ objectKey: String, record: RequestRecord? = nil) async throws -> StoredUpload {
        let found = try await database.background(UploadSQL.load(.text(objectKey)), record: record)
        guard let upload = found.first else { throw CloudSyncError.problem(.notFound) }
        return upload
    }

    /// Changes an open upload. Returns false if its epoch has changed: a newer request has taken it over, or it is
    /// gone.
    package func store(
        _ change: UploadChange,
        of objectKey: String,
        ifEpoch epoch: Int,
        record: RequestRecord? = nil
    ) async throws -> Bool {
        let store = UploadSQL.store(
            .text(objectKey),
            .int(epoch),
            .text(change.phase.rawValue),
            .int(change.offset),
            .int(change.epoch),
            .text(change.bootID),
            change.sha256.map { .bytes($0) } ?? .null
        )
        return try await !database.background(store, record: record).isEmpty
    }

    /// Deletes an open upload and releases its reserved room. Returns false as `store` does.
    package func cancel(_ objectKey: String, ifEpoch epoch: Int, record: RequestRecord? = nil) async throws -> Bool {
        let cancel = UploadSQL.cancel(.text(objectKey), .int(epoch))
        return try await !database.background(cancel, record: record).isEmpty
    }
}
