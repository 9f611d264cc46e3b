/// What an account may have at most; 0 for as much as it likes.
public struct AccountQuotas: Sendable {
    /// Items that are not deleted.
    public var itemsMax: Int
    /// Deleted items. Deleting is never refused: from here on, ids that never were are.
    public var tombstonesMax: Int
    /// The size of one document.
    public var documentMaxBytes: Int
    /// The documents of all versions, of those that lost a conflict, and the answers kept for an Idempotency-Key.
    public var historyMaxBytes: Int

    /// Sets the limits.
    public init(itemsMax: Int = 0, tombstonesMax: Int = 0, documentMaxBytes: Int = 0, historyMaxBytes: Int = 0) {
        self.itemsMax = itemsMax
        self.tombstonesMax = tombstonesMax
        self.documentMaxBytes = documentMaxBytes
        self.historyMaxBytes = historyMaxBytes
    }
}

/// A write that the account has no room for.
public struct QuotaExcess: Sendable {
    /// What there is too much of.
    public enum Quota: String, Sendable, CaseIterable {
        /// Items that are not deleted.
        case items
        /// Deleted items.
        case tombstones
        /// Bytes of the document.
        case documentBytes = "document_bytes"
        /// Bytes of everything that is kept.
        case historyBytes = "history_bytes"
        /// Bytes of one recording's file.
        case fileBytes = "file_bytes"
        /// Bytes of all recordings' files, those still to come included.
        case recordingBytes = "recording_bytes"
        /// Uploads that are not completed.
        case openUploads = "open_uploads"
        /// Events that clients have reported.
        case events
        /// Devices of the account.
        case devices
        /// Passkeys of the account.
        case passkeys
        /// Identities at OpenID providers.
        case identities
    }

    /// What there is too much of.
    public let quota: Quota
    /// How much there may be.
    public let limit: Int
    /// How much there is; of a document's bytes, how many it has.
    public let used: Int

    /// Names the quota.
    public init(quota: Quota, limit: Int, used: Int) {
        self.quota = quota
        self.limit = limit
        self.used = used
    }
}

/// What an account has in a collection.
struct AccountUse: Sendable {
    var items: Int
    var tombstones: Int
    var historyBytes: Int

    /// Counts a change with a document of so many bytes.
    mutating func count(_ write: ItemWrite, _ stored: StoredItem?, bytes: Int) {
        if let stored { stored.isDeleted ? (tombstones -= 1) : (items -= 1) }
        write.kind == .delete ? (tombstones += 1) : (items += 1)
        historyBytes += bytes
    }
}

extension AccountQuotas {
    /// The quota that an accepted write would exceed; nil when there is room. `addedBytes` are those of the document and of what a merge
    /// loses. Deleting is never refused: its rows are bounded by refusing new ids.
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

    /// The same for bytes that are kept alone.
    func exceededHistory(addedBytes: Int, _ use: AccountUse) -> QuotaExcess? {
        guard addedBytes > 0, historyMaxBytes > 0, use.historyBytes + addedBytes > historyMaxBytes else { return nil }
        return QuotaExcess(quota: .historyBytes, limit: historyMaxBytes, used: use.historyBytes)
    }
}
