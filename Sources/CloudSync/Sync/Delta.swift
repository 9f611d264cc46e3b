import Postgres

/// The changes after a cursor, in order. `DeltaPages` reads the items and documents that are not in memory.
package struct Delta: Sendable {
    /// The newest change.
    package let head: SyncToken
    /// Identifies the state of the collection: it differs after every change, and after cursors were invalidated.
    package let state: String
    /// The client's cursor after it has stored this response.
    package let next: SyncToken
    /// The time of the newest change, RFC 3339: usable as the next `last_sync`.
    package let serverTime: String
    /// A checksum of the client's items after it has stored the response, 64 hexadecimal digits: the XOR over all live
    /// items of SHA-256(id in lower case, digest). Nil for a response that was cut.
    package let stateHash: String?
    /// True if the cursor was not usable. The response is then a full set, or its first page, and replaces all copies.
    package let isReset: Bool
    /// True if the limit cut the response.
    package let hasMore: Bool
    /// The number of items in memory: the first ones.
    package let count: Int
    /// The number of first items whose documents are in memory: those before the first document that is too large.
    package let documentCount: Int
    /// True if all items are in memory, even if some documents are not.
    package let isListed: Bool
    let rows: Rows
    /// Kept until the delta is sent.
    var seat: AccountSeat?

    /// True if all items and their documents are in memory.
    package var isWhole: Bool { isListed && documentCount == count }

    /// The item at `index`, below `count`.
    package subscript(index: Int) -> DeltaItem { Self.item(rows, index) }

    /// The memory of the rows, in bytes.
    package var memoryBytes: Int { rows.memoryBytes }

    /// Takes the rows of `SyncSQL.delta`, at least one. Without a limit in the request, at most `rowsMax` items are in
    /// memory.
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

    /// The token at the end of a page: the change that made its last item.
    private static func cut(
        after item: DeltaItem,
        _ head: SyncToken,
        isInFullSet: Bool
    ) throws(UnexpectedResult) -> SyncToken {
        var columns = Columns(item.row)
        var token = try SyncToken(&columns, salt: head.salt)
        token.isInFullSet = isInFullSet
        token.readAt = [head]
        return token
    }
}

extension DeltaRequest {
    fileprivate var hasCursor: Bool { if case .none = cursor { false } else { true } }

    fileprivate var isInFullSet: Bool { if case .token(let token) = cursor { token.isInFullSet } else { false } }
}

/// An item of a delta. Its texts are appended directly from libpq's memory.
package struct DeltaItem {
    let row: Row

    /// The first columns of `SyncSQL.delta` and `.page`.
    private enum Column: Int, CaseIterable { case seq, chain, id, version, deleted, document, thumbnail }

    static let columnCount = Column.allCases.count

    /// True for a tombstone.
    package var isDeleted: Bool { row.isTrue(Column.deleted.rawValue) }
    /// The id in the spelling of its creation.
    package var id: String { row.text(Column.id.rawValue) ?? "" }
    /// Appends the id in the spelling of its creation. It needs no escapes in JSON.
    package func appendID(to buffer: inout [UInt8]) { row.append(Column.id.rawValue, to: &buffer) }
    /// Appends the version's tag. It needs no escapes in JSON.
    package func appendTag(to buffer: inout [UInt8]) {
        row.append(Column.version.rawValue, to: &buffer)
        buffer.append(UInt8(ascii: "-"))
        // The bytea's text begins with \x.
        row.append(Column.chain.rawValue, 2..<14, to: &buffer)
    }
    /// Appends the JSON text; nothing if the item is deleted or its document is not in memory.
    package func appendDocument(to buffer: inout [UInt8]) { row.append(Column.document.rawValue, to: &buffer) }
    /// Appends a part of the JSON text.
    package func appendDocument(_ range: Range<Int>, to buffer: inout [UInt8]) {
        row.append(Column.document.rawValue, range, to: &buffer)
    }
    /// The size of the JSON text in memory, in bytes.
    package var documentBytes: Int { row.byteCount(Column.document.rawValue) }

    /// The object that the link to a recording's thumbnail names; nil if there is none and none will be made.
    package var thumbnailObject: String? { row.text(Column.thumbnail.rawValue) }

    var lacksDocument: Bool { row.isNull(Column.document.rawValue) && !isDeleted }

    /// The seq of the change that made this version.
    func seq() throws(UnexpectedResult) -> Int {
        var columns = Columns(row)
        return try columns.next()
    }
}
