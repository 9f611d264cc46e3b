import NeuroViewsCrypto
import Postgres

/// The caller's recordings: metadata that sync like configurations, and a file for each.
package struct RecordingService: Sendable {
    /// Limits of an account besides the quotas of its items; 0 means unlimited.
    package struct Limits: Sendable {
        /// Bytes of all files, reserved ones included.
        package var accountMaxBytes = 0
        /// Bytes of one file.
        package var fileMaxBytes = 0
        /// Number of uncompleted uploads.
        package var openUploadsMax = 100
        /// The lifetime of an upload, in seconds.
        package var uploadLifetimeSeconds = 7 * 86400

        /// Takes the defaults.
        package init() {}
    }

    let database: CallerDatabase
    let writer: ItemWriter
    let limits: Limits
    private let keys: KeyRing
    /// Called for a new job.
    let wakeJobs: @Sendable () -> Void
    /// The changes since a cursor.
    package let changes: DeltaReader

    /// Stores recordings in `database`; `keys` sign upload URLs. `wakeJobs` is called for a new job of `RecordingJobs`,
    /// `announce` with the account after each commit of a recording.
    package init(
        database: Database,
        keys: KeyRing,
        devices: DeviceService,
        overlapSeconds: Int,
        quotas: AccountQuotas = AccountQuotas(),
        limits: Limits = Limits(),
        deltaLimits: DeltaLimits = DeltaLimits(),
        wakeJobs: @escaping @Sendable () -> Void = {},
        announce: @escaping @Sendable (_ userID: String) -> Void = { _ in }
    ) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.wakeJobs = wakeJobs
        self.limits = limits
        writer = ItemWriter(database: self.database, sql: .recordings, quotas: quotas, announce: announce)
        changes = DeltaReader(
            database: self.database,
            devices: devices,
            sql: .recordings,
            overlapSeconds: overlapSeconds,
            limits: deltaLimits
        )
    }

    /// Returns one recording. Throws `.notFound`, also for an uncompleted upload.
    package func get(_ id: String, for caller: Caller) async throws -> StoredRecording {
        try await database.readOne(for: caller, RecordingSQL.get(.text(caller.userID), .text(id)))
    }

    /// Returns the object that the link to a recording's thumbnail names; nil if there is none and none will be made.
    package func thumbnailObject(of id: String, for caller: Caller) async throws -> String? {
        let find = RecordingSQL.thumbnailObject(.text(caller.userID), .text(id.lowercased()))
        return try await database.read(for: caller, find).first ?? nil
    }

    /// The last part of an upload URL: the object, the master key's id, and the proof.
    func uploadToken(_ objectKey: String) -> String {
        let master = keys.current
        return "\(objectKey).\(master.kid).\(Base64.url.encode(master.uploadProof(objectKey)))"
    }
}
