import Postgres

/// The caller's camera configurations and their changes.
public struct ConfigurationService: Sendable {
    let database: Database
    let devices: DeviceService
    /// How far `last_sync` reaches back beyond what it says, in seconds.
    let overlapSeconds: Int
    /// What each account may have.
    let quotas: AccountQuotas
    /// How long an Idempotency-Key is kept.
    let idempotencyKeyLifetimeSeconds: Int
    let deltaLimits: DeltaLimits

    /// Keeps configurations in `database`.
    public init(
        database: Database,
        devices: DeviceService,
        overlapSeconds: Int,
        quotas: AccountQuotas = AccountQuotas(),
        idempotencyKeyLifetimeSeconds: Int = 86400,
        deltaLimits: DeltaLimits = DeltaLimits()
    ) {
        self.database = database
        self.devices = devices
        self.overlapSeconds = overlapSeconds
        self.quotas = quotas
        self.idempotencyKeyLifetimeSeconds = idempotencyKeyLifetimeSeconds
        self.deltaLimits = deltaLimits
    }

    /// One document. Throws `.notFound` for one that never was, was deleted or is somebody else's.
    public func get(_ id: String, for caller: Caller) async throws -> StoredConfiguration {
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.enter, ConfigurationSQL.get(.text(id)), record: caller.record)
        }
        guard let row = rows[1].first, let version = row.int(0), let document = row.utf8(1) else {
            throw CloudSyncError.notFound
        }
        return StoredConfiguration(version: version, document: document)
    }
}

/// A document with its version.
public struct StoredConfiguration: Sendable {
    /// Counts the item's changes from 1.
    public let version: Int
    /// The JSON text.
    public let document: [UInt8]
}
