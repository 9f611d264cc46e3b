import Postgres

/// An account's use of a quota.
package struct QuotaUse: Sendable {
    /// The quota.
    package let quota: QuotaExcess.Quota
    /// The collection of the items; nil for a quota of no single collection.
    package let collection: String?
    /// The used amount.
    package let used: Int
    /// The reserved amount of open uploads.
    package let reserved: Int
    /// The limit; 0 means unlimited.
    package let limit: Int

    init(_ quota: QuotaExcess.Quota, of collection: String? = nil, used: Int, reserved: Int = 0, limit: Int) {
        self.quota = quota
        self.collection = collection
        self.used = used
        self.reserved = reserved
        self.limit = limit
    }
}

/// The use and the limits of accounts.
package struct QuotaService: Sendable {
    private let database: CallerDatabase
    private let items: AccountQuotas
    private let files: RecordingService.Limits
    private let eventsMax: Int

    /// Reads `database`.
    package init(database: Database, items: AccountQuotas, files: RecordingService.Limits, eventsMax: Int = 0) {
        self.database = CallerDatabase(database)
        self.items = items
        self.files = files
        self.eventsMax = eventsMax
    }

    /// Returns all quotas of the caller's account.
    package func use(of caller: Caller) async throws -> [QuotaUse] {
        let user = Parameter.text(caller.userID)
        let (heads, found, events, devices) = try await database.read(
            for: caller,
            on: .large,
            QuotaSQL.heads(user),
            RecordingSQL.use(user),
            QuotaSQL.events(user),
            QuotaSQL.devices(user)
        )
        return heads.flatMap(rows)
            + found.flatMap { file in
                [
                    QuotaUse(
                        .recordingBytes,
                        used: file.bytes - file.reserved,
                        reserved: file.reserved,
                        limit: files.accountMaxBytes
                    ),
                    QuotaUse(.openUploads, used: file.open, limit: files.openUploadsMax),
                ]
            }
            + events.map { QuotaUse(.events, used: $0, limit: eventsMax) }
            + devices.map { QuotaUse(.devices, used: $0, limit: DeviceService.countMax) }
    }

    private func rows(_ collection: String, _ use: AccountUse) -> [QuotaUse] {
        [
            QuotaUse(.items, of: collection, used: use.items, limit: items.itemsMax),
            QuotaUse(.tombstones, of: collection, used: use.tombstones, limit: items.tombstonesMax),
            QuotaUse(.historyBytes, of: collection, used: use.historyBytes, limit: items.historyMaxBytes),
        ]
    }
}

/// $1 is the user.
private enum QuotaSQL {
    static let heads = Query(
        "SELECT collection, items, tombstones, history_bytes FROM sync_heads WHERE user_id = $1::uuid ORDER BY collection"
    ) { columns throws(UnexpectedResult) in
        (
            collection: try columns.next() as String,
            use: AccountUse(
                items: try columns.next(),
                tombstones: try columns.next(),
                historyBytes: try columns.next()
            )
        )
    }

    static let events = Query(
        "SELECT coalesce(sum(events), 0)::bigint FROM analytics_months WHERE user_id = $1::uuid"
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    static let devices = Query("SELECT count(*) FROM devices WHERE user_id = $1::uuid") {
        columns throws(UnexpectedResult) -> Int in try columns.next()
    }
}
