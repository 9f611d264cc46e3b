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

    /// What the functions of Migrations/0003_writes.sql take.
    var parameters: [Parameter] {
        [.int(itemsMax), .int(tombstonesMax), .int(documentMaxBytes), .int(historyMaxBytes)]
    }

    /// The refusal in the name of the quota that SQL names.
    func excess(_ name: String, used: Int) -> QuotaExcess {
        switch QuotaExcess.Quota(rawValue: name) {
        case .items: QuotaExcess(quota: .items, limit: itemsMax, used: used)
        case .tombstones: QuotaExcess(quota: .tombstones, limit: tombstonesMax, used: used)
        case .documentBytes: QuotaExcess(quota: .documentBytes, limit: documentMaxBytes, used: used)
        case .historyBytes, nil: QuotaExcess(quota: .historyBytes, limit: historyMaxBytes, used: used)
        }
    }
}

/// A write that the account has no room for.
public struct QuotaExcess: Sendable {
    /// What there is too much of.
    public enum Quota: String, Sendable {
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
