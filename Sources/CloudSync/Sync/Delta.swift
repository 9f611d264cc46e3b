import Postgres

/// The changes after a cursor, in their order. What does not come with them at once is read by `DeltaPages`.
public struct Delta: Sendable {
    /// The newest change.
    public let head: SyncToken
    /// Names the state of the collection: it changes with every change, and when cursors end.
    public let state: String
    /// Where the client stands after storing this answer.
    public let next: SyncToken
    /// The time of the newest change, RFC 3339: good as the next `last_sync`.
    public let serverTime: String
    /// What the client can compare with its own items once it has stored the answer, 64 hexadecimal digits: the XOR over all
    /// that are not deleted of SHA-256(id in lower case, digest). Nil for an answer that was cut.
    public let stateHash: String?
    /// Whether the cursor was of no use, so that this is, or begins, a full set that replaces all copies.
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
    public subscript(index: Int) -> DeltaItem { Self.item(rows, index) }

    /// What it takes in memory, in bytes.
    public var memoryBytes: Int { rows.memoryBytes }

    /// Takes what `SyncSQL.delta` gave for the request: a row at least. Without a limit `rowsMax` items are at hand at most.
    init(_ request: DeltaRequest, _ rows: Rows, rowsMax: Int) throws(UnexpectedResult) {
        self.rows = rows
        let first = try DeltaHead(rows[0])
        head = first.head
        state = first.state
        serverTime = first.serverTime
        let found = rows.count - 1
        let count = min(found, request.limit ?? rowsMax)
        self.count = count
        hasMore = request.limit != nil && count < found
        stateHash = hasMore ? nil : first.stateHash
        isListed = request.limit != nil || count == found
        documentCount = (0..<count).first { Self.item(rows, $0).lacksDocument } ?? count
        isReset = request.isUnreadable || !first.isKnown || first.isFullSet && request.hasCursor
        guard hasMore else {
            next = head
            return
        }
        next = try Self.cut(
            after: Self.item(rows, count - 1),
            head,
            isInFullSet: first.isFullSet || request.isInFullSet
        )
    }

    private static func item(_ rows: Rows, _ index: Int) -> DeltaItem {
        DeltaItem(row: rows[index + 1])
    }

    /// The token of a page's end: the change that made its last item.
    private static func cut(
        after item: DeltaItem,
        _ head: SyncToken,
        isInFullSet: Bool
    ) throws(UnexpectedResult) -> SyncToken {
        var columns = Columns(item.row)
        var token = try SyncToken(&columns, salt: head.salt)
        token.isInFullSet = isInFullSet
        return token
    }
}

extension DeltaRequest {
    fileprivate var hasCursor: Bool { if case .none = cursor { false } else { true } }

    fileprivate var isInFullSet: Bool { if case .token(let token) = cursor { token.isInFullSet } else { false } }
}

/// An item of a delta. Its texts are appended from where libpq keeps them.
public struct DeltaItem {
    let row: Row

    /// The first columns of `SyncSQL.delta` and `.page`.
    private enum Column: Int, CaseIterable { case seq, chain, id, version, deleted, document }

    static let columnCount = Column.allCases.count

    /// Whether it is a tombstone.
    public var isDeleted: Bool { row.isTrue(Column.deleted.rawValue) }
    /// Appends the id as it was spelled at the item's creation, which needs no escapes in JSON.
    public func appendID(to buffer: inout [UInt8]) { row.append(Column.id.rawValue, to: &buffer) }
    /// Appends the version's tag, which needs no escapes in JSON.
    public func appendTag(to buffer: inout [UInt8]) {
        row.append(Column.version.rawValue, to: &buffer)
        buffer.append(UInt8(ascii: "-"))
        // The bytea's text begins with \x.
        row.append(Column.chain.rawValue, 2..<14, to: &buffer)
    }
    /// Appends the JSON text; nothing when the item was deleted, or the document is not at hand.
    public func appendDocument(to buffer: inout [UInt8]) { row.append(Column.document.rawValue, to: &buffer) }
    /// Appends a part of the JSON text.
    public func appendDocument(_ range: Range<Int>, to buffer: inout [UInt8]) {
        row.append(Column.document.rawValue, range, to: &buffer)
    }
    /// How many bytes the JSON text has.
    public var documentBytes: Int { row.byteCount(Column.document.rawValue) }

    var lacksDocument: Bool { row.isNull(Column.document.rawValue) && !isDeleted }

    /// The change that made it this version.
    func seq() throws(UnexpectedResult) -> Int {
        var columns = Columns(row)
        return try columns.next()
    }
}
