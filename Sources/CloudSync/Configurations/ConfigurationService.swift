import Postgres

/// Stores the caller's camera configurations.
package struct ConfigurationService: Sendable {
    let database: CallerDatabase
    /// Reads the changes since a cursor.
    package let changes: DeltaReader
    /// Reads earlier versions, and documents that lost a conflict.
    package let history: HistoryService
    /// Merges and patches documents.
    package let merging: MergeService
    /// Makes earlier versions current again.
    package let restoring: RestoreService
    let writer: ItemWriter

    /// Stores configurations in `database`; `work` merges and patches documents. Deltas include changes from
    /// `overlapSeconds` before `last_sync`. `announce` is called with the account after each commit.
    package init(
        database: Database,
        devices: DeviceService,
        work: LargeWork,
        overlapSeconds: Int,
        quotas: AccountQuotas = AccountQuotas(),
        deltaLimits: DeltaLimits = DeltaLimits(),
        announce: @escaping @Sendable (_ userID: String) -> Void = { _ in }
    ) {
        self.database = CallerDatabase(database)
        writer = ItemWriter(database: self.database, sql: .configurations, quotas: quotas, announce: announce)
        history = HistoryService(database: self.database)
        let derived = DerivedWriter(database: self.database, writer: writer)
        merging = MergeService(derived: derived, work: work)
        restoring = RestoreService(derived: derived, work: work)
        changes = DeltaReader(
            database: self.database,
            devices: devices,
            sql: .configurations,
            overlapSeconds: overlapSeconds,
            limits: deltaLimits
        )
    }

    /// The current document. Throws `.notFound` if it never existed, was deleted or belongs to another user.
    package func get(_ id: String, for caller: Caller) async throws -> StoredConfiguration {
        try await database.readOne(for: caller, ConfigurationSQL.get(.text(caller.userID), .text(id)))
    }
}

/// A document with its version.
package struct StoredConfiguration: Sendable {
    /// The version's tag.
    package let version: VersionTag
    /// The JSON text.
    package let document: [UInt8]

    init(version: VersionTag, document: [UInt8]) {
        self.version = version
        self.document = document
    }

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        version = VersionTag(try columns.next(), try columns.next())
        document = try columns.next()
    }
}
