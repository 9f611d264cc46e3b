import Postgres

/// What a client knows already, and how much it takes at once.
public struct DeltaRequest: Sendable {
    /// Where the client stands.
    public enum Cursor: Sendable {
        /// Nowhere: the full set.
        case none
        /// The token of an earlier answer.
        case token(SyncToken)
        /// The time of the last sync by the client's clock.
        case lastSync(Timestamp)
    }

    /// Where the client stands.
    public var cursor: Cursor
    /// Items at most; nil for all.
    public var limit: Int?
    /// The asking device; it filters nothing.
    public var deviceID: String?
    /// The head of an answer that the client still has.
    public var knownHead: SyncToken?

    /// Asks for what `cursor` does not have.
    public init(cursor: Cursor, limit: Int? = nil, deviceID: String? = nil, knownHead: SyncToken? = nil) {
        self.cursor = cursor
        self.limit = limit
        self.deviceID = deviceID
        self.knownHead = knownHead
    }
}

/// The changes after a cursor, in their order.
public struct Delta: Sendable {
    /// Epoch and seq of the newest change.
    public let head: SyncToken
    /// Where the client stands after storing this answer.
    public let next: SyncToken
    /// The time of the newest change, RFC 3339: good as the next `last_sync`.
    public let serverTime: String
    /// Whether the cursor was of no use and this begins or continues a full set.
    public let isReset: Bool
    /// Whether the limit cut the answer.
    public let hasMore: Bool
    /// How many items the answer has.
    public let count: Int
    private let rows: Rows

    /// An item of the answer.
    public struct Item {
        fileprivate let row: Row
        /// The id as it was spelled at the item's creation.
        public var id: String { row.text(4) ?? "" }
        /// The item's version.
        public var version: Int { row.int(5) ?? 0 }
        /// The JSON text; nil when the item was deleted.
        public var document: [UInt8]? { row.utf8(8) }
    }

    /// The item at `index`, below `count`.
    public subscript(index: Int) -> Item { Item(row: rows[index]) }
}

extension ConfigurationService {
    /// The changes after the cursor; nil when the client's known head is still the newest.
    public func delta(_ request: DeltaRequest, for caller: Caller) async throws -> Delta? {
        let results = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.enter, deltaStep(request), record: caller.record)
        }
        if let deviceID = request.deviceID { await devices.noteSeen(deviceID, for: caller) }
        guard let first = results[1].first, let epoch = first.text(0), let seq = first.int(1) else {
            throw CloudSyncError.notFound
        }
        let head = SyncToken(epoch: epoch, seq: seq)
        if head == request.knownHead { return nil }
        return Delta(request, head: head, rows: results[1])
    }

    private func deltaStep(_ request: DeltaRequest) -> Step {
        var token: SyncToken?
        var lastSync: Timestamp?
        switch request.cursor {
        case .none: break
        case .token(let value): token = value
        case .lastSync(let value): lastSync = value
        }
        return ConfigurationSQL.delta(
            .text(token?.epoch),
            .int(token?.seq),
            .int(lastSync?.microseconds),
            .int(overlapSeconds),
            // One more than asked for tells whether there is more.
            .int(request.limit.map { $0 + 1 }),
            .text(request.knownHead?.epoch),
            .int(request.knownHead?.seq)
        )
    }
}

extension Delta {
    fileprivate init(_ request: DeltaRequest, head: SyncToken, rows: Rows) {
        self.rows = rows
        self.head = head
        let isFullSet = rows[0].bool(3) ?? false
        let found = rows[0].isNull(4) ? 0 : rows.count
        hasMore = request.limit.map { found > $0 } ?? false
        count = hasMore ? found - 1 : found
        serverTime = rows[0].text(2) ?? ""
        var fullSetEnd: Int?
        var isReset = false
        switch request.cursor {
        case .none: fullSetEnd = nil
        case .token(let token) where !isFullSet && token.continuesFullSet:
            fullSetEnd = token.fullSetEnd
            isReset = true
        case .token, .lastSync:
            isReset = isFullSet
            if isFullSet { fullSetEnd = head.seq }
        }
        self.isReset = isReset
        guard hasMore else {
            next = head
            return
        }
        let cut = rows[count - 1].int(6) ?? 0
        next = SyncToken(epoch: head.epoch, seq: cut, fullSetEnd: fullSetEnd.flatMap { cut < $0 ? $0 : nil })
    }
}
