import Postgres

/// The verdict on one write: the enum `write_verdict`, by the rules of Migrations/functions/write_rules.sql.
enum WriteVerdict: String, CaseIterable, ColumnValue {
    case accepted, repeated, unknown, deleted, mismatch, exists, outdated, quota
}

/// What a write did, or did the first time.
public struct WriteReceipt: Sendable {
    /// The id in the spelling that the item was created with.
    public let id: String
    /// The version that the write made.
    public let version: VersionTag
    /// When it was made, RFC 3339.
    public let changedAt: String
}

/// A row of the type `write_result`: the outcome of one write.
struct WriteResult: Sendable {
    /// What the verdict says, with what belongs to it.
    private enum Outcome: Sendable {
        case written(WriteReceipt)
        case unknown
        case conflict(WriteConflict)
        case quota(QuotaExcess.Quota, used: Int)
    }

    private let outcome: Outcome

    static let columns = "verdict, spelled_id, version, chain, changed_at, document, quota, used"

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        let verdict: WriteVerdict = try columns.next()
        let (id, version): (String?, VersionTag?) = (try columns.next(), try VersionTag.next(&columns))
        let (changedAt, document): (String?, [UInt8]?) = (try columns.next(), try columns.next())
        let (quota, used): (QuotaExcess.Quota?, Int?) = (try columns.next(), try columns.next())
        switch (verdict, id, version, changedAt, quota, used) {
        case (.accepted, let id?, let version?, let time?, _, _), (.repeated, let id?, let version?, let time?, _, _):
            outcome = .written(WriteReceipt(id: id, version: version, changedAt: time))
        case (.quota, _, _, _, let quota?, let used?): outcome = .quota(quota, used: used)
        case (.unknown, _, _, _, _, _): outcome = .unknown
        default:
            guard let reason = WriteConflict.Reason(verdict) else { throw UnexpectedResult("\(verdict) lacks a value") }
            outcome = .conflict(WriteConflict(reason: reason, current: document, version: version))
        }
    }

    /// What the write did, or `.notFound`, `.conflict`, `.quotaExceeded`.
    func receipt(_ quotas: AccountQuotas) throws(CloudSyncError) -> WriteReceipt {
        switch outcome {
        case .written(let receipt): return receipt
        case .unknown: throw .notFound
        case .conflict(let conflict): throw .conflict(conflict)
        case .quota(let quota, let used): throw .quotaExceeded(quotas.excess(quota, used: used))
        }
    }
}

extension WriteConflict.Reason {
    /// Nil for a verdict that is no conflict.
    init?(_ verdict: WriteVerdict) {
        switch verdict {
        case .deleted: self = .deleted
        case .mismatch: self = .versionMismatch
        case .exists: self = .exists
        case .outdated: self = .editedLater
        case .accepted, .repeated, .unknown, .quota: return nil
        }
    }
}

/// The outcome of a request that writes, and the newest change of the collection in its transaction: what the client may send as `seen`.
public struct Written<Value: Sendable>: Sendable {
    /// What was done, or why it was refused.
    public let result: Result<Value, CloudSyncError>
    /// Nil when the account has gone.
    public let head: SyncToken?

    init(_ result: Result<Value, CloudSyncError>, _ head: SyncToken?) {
        self.result = result
        self.head = head
    }

    /// The same with another value.
    public func map<Other>(_ transform: (Value) throws(CloudSyncError) -> Other) -> Written<Other> {
        Written<Other>(result.flatMap { value in Result { () throws(CloudSyncError) in try transform(value) } }, head)
    }
}

extension VersionTag {
    /// Reads version and chain; nil for NULL.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> VersionTag? {
        let (number, chain): (Int?, ChainValue?) = (try columns.next(), try columns.next())
        guard let number, let chain else { return nil }
        return VersionTag(number, chain)
    }
}
