import Crypto
import JSON
import Postgres

/// The caller's recordings: metadata that syncs like configurations, and a file each.
public struct RecordingService: Sendable {
    /// What an account may have beside the quotas of its items; 0 for as much as it likes.
    public struct Limits: Sendable {
        /// Bytes of all files, those still to come included.
        public var accountMaxBytes = 0
        /// Bytes of one file.
        public var fileMaxBytes = 0
        /// Uploads that are not completed.
        public var openUploadsMax = 100
        /// How long an upload may take, in seconds.
        public var uploadLifetimeSeconds = 7 * 86400

        /// The defaults.
        public init() {}
    }

    let database: CallerDatabase
    let writer: ItemWriter
    let limits: Limits
    private let keys: KeyRing
    /// What receipts are signed with.
    public let receiptKeys: ReceiptKeys
    /// Called when there is a new job.
    let wakeJobs: @Sendable () -> Void
    /// What has changed since a cursor.
    public let changes: DeltaReader

    /// Keeps recordings in `database`; upload URLs are proven by `keys`. `wakeJobs` is called when `RecordingJobs` has something to do.
    public init(
        database: Database,
        keys: KeyRing,
        devices: DeviceService,
        overlapSeconds: Int,
        quotas: AccountQuotas = AccountQuotas(),
        limits: Limits = Limits(),
        deltaLimits: DeltaLimits = DeltaLimits(),
        wakeJobs: @escaping @Sendable () -> Void = {}
    ) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.wakeJobs = wakeJobs
        receiptKeys = ReceiptKeys(database: database, keys: keys)
        self.limits = limits
        writer = ItemWriter(database: self.database, sql: .recordings, quotas: quotas, keyLifetimeSeconds: 0)
        changes = DeltaReader(
            database: self.database,
            devices: devices,
            sql: .recordings,
            overlapSeconds: overlapSeconds,
            limits: deltaLimits
        )
    }

    /// One recording. Throws `.notFound`, also for one whose upload was not completed.
    public func get(_ id: String, for caller: Caller) async throws -> StoredRecording {
        let get = RecordingSQL.get(.text(caller.userID), .text(id))
        guard let stored = try await database.read(for: caller, get).first else { throw CloudSyncError.notFound }
        return stored
    }

    /// The text that an upload URL ends with: the object, the master key, and the proof.
    func uploadToken(_ objectKey: String) -> String {
        let master = keys.current
        return "\(objectKey).\(master.kid).\(Base64.url.encode(master.uploadProof(objectKey)))"
    }
}
