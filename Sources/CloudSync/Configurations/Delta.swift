import Postgres

/// The changes after a cursor, in their order. What does not come with them at once is read by `DeltaPages`.
public struct Delta: Sendable {
    /// Epoch and seq of the newest change.
    public let head: SyncToken
    /// Where the client stands after storing this answer.
    public let next: SyncToken
    /// The time of the newest change, RFC 3339: good as the next `last_sync`.
    public let serverTime: String
    /// What the client can compare with its own items once it has stored the answer, 64 hexadecimal digits: the XOR over all
    /// that are not deleted of SHA-256(id in lower case, digest). Nil for an answer that was cut.
    public let stateHash: String?
    /// Whether the cursor was of no use and this begins or continues a full set.
    public let isReset: Bool
    /// Whether the limit cut the answer.
    public let hasMore: Bool
    /// How many items are at hand, the first ones.
    public let count: Int
    /// How many of the first items are at hand with their documents: those before the first that is too large.
    public let documentCount: Int
    /// Whether all items are at hand, though maybe not with their documents.
    public let isListed: Bool
    let rows: Rows

    /// Whether all items are at hand with their documents.
    public var isWhole: Bool { isListed && documentCount == count }

    /// The item at `index`, below `count`.
    public subscript(index: Int) -> DeltaItem { DeltaItem(row: rows[index], firstColumn: Self.firstItemColumn) }

    /// What it takes in memory, in bytes.
    public var memoryBytes: Int { rows.memoryBytes }

    static let firstItemColumn = 6
    private static let seqColumn = 10

    /// Takes what `ConfigurationSQL.delta` gave for the request. Without a limit `rowsMax` items are at hand at most.
    init(_ request: DeltaRequest, head: SyncToken, rows: Rows, rowsMax: Int) {
        self.rows = rows
        self.head = head
        serverTime = rows[0].text(3) ?? ""
        let isFullSet = rows[0].bool(2) ?? false
        let found = rows[0].isNull(Self.firstItemColumn) ? 0 : rows.count
        let count = min(found, request.limit ?? rowsMax)
        self.count = count
        hasMore = request.limit != nil && count < found
        stateHash = hasMore ? nil : rows[0].text(5)
        isListed = request.limit != nil || count == found
        documentCount =
            (0..<count).first { DeltaItem(row: rows[$0], firstColumn: Self.firstItemColumn).lacksDocument } ?? count
        let (isReset, fullSetEnd) = Self.fullSet(request.cursor, isFullSet, head)
        self.isReset = isReset
        guard hasMore else {
            next = head
            return
        }
        let cut = rows[count - 1].int(Self.seqColumn) ?? 0
        next = SyncToken(epoch: head.epoch, seq: cut, fullSetEnd: fullSetEnd.flatMap { cut < $0 ? $0 : nil })
    }

    /// Whether the answer begins or continues a full set that the client did not ask for, and where that set ends.
    private static func fullSet(
        _ cursor: DeltaRequest.Cursor,
        _ isFullSet: Bool,
        _ head: SyncToken
    ) -> (isReset: Bool, end: Int?) {
        switch cursor {
        case .none: (false, nil)
        case .token(let token) where !isFullSet && token.continuesFullSet: (true, token.fullSetEnd)
        case .token, .lastSync: (isFullSet, isFullSet ? head.seq : nil)
        }
    }
}

/// An item of a delta. Its texts are appended from where libpq keeps them.
public struct DeltaItem {
    let row: Row
    /// Where in the row it begins: id, version, deleted, changed_at, one of the statement's own, document.
    let firstColumn: Int

    /// The id as it was spelled at the item's creation.
    public var id: String { row.text(firstColumn) ?? "" }
    /// The item's version.
    public var version: Int { row.int(firstColumn + 1) ?? 0 }
    /// Whether it is a tombstone.
    public var isDeleted: Bool { row.bool(firstColumn + 2) ?? false }
    /// The JSON text; nil when the item was deleted, or the document is not at hand.
    public var document: [UInt8]? { row.utf8(firstColumn + 5) }

    /// Appends the id, which needs no escapes in JSON.
    public func appendID(to buffer: inout [UInt8]) { row.append(firstColumn, to: &buffer) }
    /// Appends the version's digits.
    public func appendVersion(to buffer: inout [UInt8]) { row.append(firstColumn + 1, to: &buffer) }
    /// Appends the JSON text.
    public func appendDocument(to buffer: inout [UInt8]) { row.append(firstColumn + 5, to: &buffer) }
    /// Appends a part of the JSON text.
    public func appendDocument(_ range: Range<Int>, to buffer: inout [UInt8]) {
        row.append(firstColumn + 5, range, to: &buffer)
    }
    /// How many bytes the JSON text has.
    public var documentBytes: Int { row.byteCount(firstColumn + 5) }

    var lacksDocument: Bool { row.isNull(firstColumn + 5) && !isDeleted }
    var changedAt: String { row.text(firstColumn + 3) ?? "" }
}
