import Crypto
import Net
import Postgres

/// An upload as the database has it.
public struct StoredUpload: Sendable {
    /// Whose recording it becomes.
    public let userID: String
    /// The recording.
    public let id: String
    /// Length of the whole file, in bytes.
    public let size: Int
    /// Where it stands; an expired one may still be open here.
    public let standing: UploadStanding
    /// How many bytes are safely stored.
    public let offset: Int
    /// Counts the requests that have taken it over.
    public let epoch: Int
    /// The boot in which the last bytes were written; nil before the first.
    public let bootID: String?
    /// How long it may still take; not above 0 when it has expired.
    public let secondsLeft: Int
    /// The SHA-256 that the client has given for the file, with its wish or with bytes.
    public let sha256: [UInt8]?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        userID = try columns.next()
        id = try columns.next()
        size = try columns.next()
        standing = try columns.next()
        offset = try columns.next()
        epoch = try columns.next()
        bootID = try columns.next()
        secondsLeft = try columns.next()
        sha256 = (try columns.next() as Bytea?)?.bytes
    }
}

/// What an upload becomes.
public struct UploadChange: Sendable {
    /// Where it stands. With `.complete` the time is stored, too, and the upload expires a lifetime later.
    public var standing: UploadStanding
    /// How many bytes are safely stored.
    public var offset: Int
    /// Counts the requests that have taken it over.
    public var epoch: Int
    /// The boot in which bytes that count are written from now on; nil leaves it as it is.
    public var bootID: String?
    /// The SHA-256 that the client gives for the whole file. Where it gave one before, that stays.
    public var sha256: [UInt8]?

    /// Takes the values.
    public init(standing: UploadStanding, offset: Int, epoch: Int, bootID: String? = nil) {
        self.standing = standing
        self.offset = offset
        self.epoch = epoch
        self.bootID = bootID
    }
}

/// The uploads behind upload URLs. A URL's token is the permission, so there is no caller.
public struct UploadService: Sendable {
    private let database: CallerDatabase
    private let keys: KeyRing
    /// To be called for each request that goes on with an upload where another one has ended.
    public let noteResumed: @Sendable () -> Void

    /// Keeps uploads in `database`; tokens are proven by `keys`.
    public init(database: Database, keys: KeyRing, noteResumed: @escaping @Sendable () -> Void = {}) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.noteResumed = noteResumed
    }

    /// The object that a token names. Throws `.notFound` for a token that this server did not make.
    public func objectKey(ofToken token: String) throws(CloudSyncError) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let master = keys[kid: parts[1]], let proof = Base64.url.decode(parts[2]),
            constantTimeEquals(proof, master.uploadProof(parts[0]))
        else { throw .notFound }
        return parts[0]
    }

    /// An upload as it stands. Throws `.notFound` when it was cancelled or its recording deleted.
    public func load(_ objectKey: String, record: RequestRecord? = nil) async throws -> StoredUpload {
        let found = try await database.background(UploadSQL.load(.text(objectKey)), record: record)
        guard let upload = found.first else { throw CloudSyncError.notFound }
        return upload
    }

    /// Changes an open upload. Returns false when its epoch is another one: a newer request has it, or it is gone.
    public func store(
        _ change: UploadChange,
        of objectKey: String,
        ifEpoch epoch: Int,
        record: RequestRecord? = nil
    ) async throws -> Bool {
        let store = UploadSQL.store(
            .text(objectKey),
            .int(epoch),
            .text(change.standing.rawValue),
            .int(change.offset),
            .int(change.epoch),
            .text(change.bootID),
            change.sha256.map { .bytes($0) } ?? .null
        )
        return try await !database.background(store, record: record).isEmpty
    }

    /// Forgets an open upload, which releases the room that was reserved for it. Returns false as `store` does.
    public func cancel(_ objectKey: String, ifEpoch epoch: Int, record: RequestRecord? = nil) async throws -> Bool {
        let cancel = UploadSQL.cancel(.text(objectKey), .int(epoch))
        return try await !database.background(cancel, record: record).isEmpty
    }
}
