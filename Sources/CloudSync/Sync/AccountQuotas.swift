import Postgres

/// What an account may have at most; 0 for as much as it likes.
public struct AccountQuotas: Sendable {
    /// Configurations that are not deleted.
    public var itemsMax: Int
    /// Deleted configurations. Deleting is never refused: from here on, ids that never were are.
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

    /// What the write functions take (Migrations/functions).
    var parameters: [Parameter] {
        [.int(itemsMax), .int(tombstonesMax), .int(documentMaxBytes), .int(historyMaxBytes)]
    }

    /// The refusal by that quota.
    func excess(_ quota: QuotaExcess.Quota, used: Int) -> QuotaExcess {
        let limit =
            switch quota {
            case .items: itemsMax
            case .tombstones: tombstonesMax
            case .documentBytes: documentMaxBytes
            case .historyBytes: historyMaxBytes
            }
        return QuotaExcess(quota: quota, limit: limit, used: used)
    }
}

/// A write that the account has no room for.
public struct QuotaExcess: Sendable {
    /// What there is too much of: the enum `write_quota`.
    public enum Quota: String, Sendable, CaseIterable, ColumnValue {
        /// Configurations that are not deleted.
        case items
        /// Deleted configurations.
        case tombstones
        /// Bytes of the document.
        case documentBytes = "document_bytes"
        /// Bytes of everything that is kept.
        case historyBytes = "history_bytes"
    }

    /// What there is too much of.
    public let quota: Quota
    /// How much there may be.
    public let limit: Int
    /// How much there is; of a document's bytes, how many it has.
    public let used: Int
}
