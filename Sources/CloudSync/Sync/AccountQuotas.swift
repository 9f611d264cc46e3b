/// The limits of an account; 0 means unlimited.
package struct AccountQuotas: Sendable {
    /// Deleted items of an account: they are kept for ever, so that a device that was away for years learns of them.
    package static let tombstonesMax = 100_000
    /// A configuration's document, or a recording's metadata: 1 MiB.
    package static let documentMaxBytes = 1 << 20

    /// Items that are not deleted.
    package var itemsMax: Int
    /// Deleted items. Deletions are never rejected: at this limit, new ids are.
    package var tombstonesMax: Int
    /// The size of one document.
    package var documentMaxBytes: Int
    /// Bytes of the documents of all versions, of losing documents, and of responses stored for an Idempotency-Key.
    package var historyMaxBytes: Int

    /// Sets the limits.
    package init(itemsMax: Int = 0, tombstonesMax: Int = 0, documentMaxBytes: Int = 0, historyMaxBytes: Int = 0) {
        self.itemsMax = itemsMax
        self.tombstonesMax = tombstonesMax
        self.documentMaxBytes = documentMaxBytes
        self.historyMaxBytes = historyMaxBytes
    }
}

/// The quota that rejected a write.
package struct QuotaExcess: Sendable {
    /// The limited resources.
    package enum Quota: String, Sendable, CaseIterable {
        /// Items that are not deleted.
        case items
        /// Deleted items.
        case tombstones
        /// Bytes of the document.
        case documentBytes = "document_bytes"
        /// Bytes of the history: see `AccountQuotas.historyMaxBytes`.
        case historyBytes = "history_bytes"
        /// Bytes of one recording's file.
        case fileBytes = "file_bytes"
        /// Bytes of all recordings' files, with those of reserved uploads.
        case recordingBytes = "recording_bytes"
        /// Incomplete uploads.
        case openUploads = "open_uploads"
        /// Events that clients reported.
        case events
        /// Devices of the account.
        case devices
        /// Passkeys of the account.
        case passkeys
        /// Identities at OpenID providers.
        case identities
    }

    /// The exceeded quota.
    package let quota: Quota
    /// The limit.
    package let limit: Int
    /// The amount before the write; for `documentBytes`, the size of the document.
    package let used: Int

    /// Stores the values.
    package init(quota: Quota, limit: Int, used: Int) {
        self.quota = quota
        self.limit = limit
        self.used = used
    }
}

/// The amounts that an account uses in a collection.
struct AccountUse: Sendable {
    var items: Int
    var tombstones: Int
    var historyBytes: Int

    /// Counts a change whose document has `bytes` bytes.
    mutating func count(_ write: ItemWrite, _ stored: StoredItem?, bytes: Int) {
        if let stored { stored.isDeleted ? (tombstones -= 1) : (items -= 1) }
        write.kind == .delete ? (tombstones += 1) : (items += 1)
        historyBytes += bytes
    }
}

extension AccountQuotas {
    /// The quota that an accepted write would exceed; nil if there is room. `addedBytes` counts the document and the
    /// loser of a merge. Deletions are never rejected: their rows are limited because new ids are rejected.
    func exceeded(
        by write: ItemWrite,
        _ stored: StoredItem?,
        documentBytes: Int,
        addedBytes: Int,
        _ use: AccountUse
    ) -> QuotaExcess? {
        if write.kind == .delete { return nil }
        if documentMaxBytes > 0, documentBytes > documentMaxBytes {
            return QuotaExcess(quota: .documentBytes, limit: documentMaxBytes, used: documentBytes)
        }
        if itemsMax > 0, use.items >= itemsMax, stored?.isDeleted ?? true {
            return QuotaExcess(quota: .items, limit: itemsMax, used: use.items)
        }
        if tombstonesMax > 0, use.tombstones >= tombstonesMax, stored == nil {
            return QuotaExcess(quota: .tombstones, limit: tombstonesMax, used: use.tombstones)
        }
        return exceededHistory(addedBytes: addedBytes, use)
    }

    /// Checks the history quota alone.
    func exceededHistory(addedBytes: Int, _ use: AccountUse) -> QuotaExcess? {
        guard addedBytes > 0, historyMaxBytes > 0, use.historyBytes + addedBytes > historyMaxBytes else { return nil }
        return QuotaExcess(quota: .historyBytes, limit: historyMaxBytes, used: use.historyBytes)
    }
}
