import Postgres

/// The limits of a delta's data in memory.
package struct DeltaLimits: Sendable {
    /// Items that the first statement or one page reads. A longer delta is read in pages.
    package var rows = 500
    /// Bytes of a document that the first statement reads. Larger ones are read in pages. So the first statement takes a few milliseconds at most,
    /// however large the documents are.
    package var documentBytes = 4 << 10
    /// Bytes of the first statement's result that stay in memory while pages are read. If it is larger, pages read all
    /// documents.
    package var keptBytes = 512 << 10
    /// Bytes of documents in one page. A larger document has a page of its own.
    package var pageBytes = 256 << 10

    /// The defaults.
    package init() {}
}

/// The items of a delta, read page by page from the state of the delta's head. Between two pages it holds no
/// connection, transaction or snapshot.
package struct DeltaPages {
    /// The data that the pages contain.
    package enum Kind: Sendable {
        /// The documents that are not in the delta.
        case documents
        /// The ids of all tombstones.
        case deleted
        /// The ids and versions of all items.
        case versions

        var deleted: Parameter {
            switch self {
            case .documents: .bool(false)
            case .deleted: .bool(true)
            case .versions: .null
            }
        }
    }

    private let reader: DeltaReader
    private let caller: Caller
    private let delta: Delta
    private let kind: Kind
    /// The first unread seq; nil at the end.
    private var first: Int?
    private let last: Int

    /// Reads items of the delta; documents only from the first one that is not in memory.
    package init(_ kind: Kind, of delta: Delta, _ reader: DeltaReader, _ caller: Caller) throws(UnexpectedResult) {
        self.reader = reader
        self.caller = caller.withAnyToken
        self.delta = delta
        self.kind = kind
        let position = kind == .documents ? delta.documentCount : 0
        first = position < delta.rows.count - 1 && delta.count > 0 ? try delta[position].seq() : nil
        last = delta.hasMore ? try delta[delta.count - 1].seq() : delta.head.seq
    }

    /// The next page; nil at the end. Throws `DeltaBroken` if the history is another one or has lost a document of that
    /// state, and the errors of an ended session.
    package mutating func next() async throws -> DeltaPage? {
        guard let first else { return nil }
        let step = reader.sql.page(
            .text(caller.userID),
            .int(delta.head.seq),
            delta.head.chain.parameter,
            .text(delta.head.item?.id),
            .int(delta.head.item?.version),
            .int(first),
            .int(last),
            .int(reader.limits.rows),
            .int(reader.limits.pageBytes),
            kind.deleted
        )
        let rows = try await reader.database.readRows(for: caller, on: .large, step)
        let page = try DeltaPage(rows, hasDocuments: kind == .documents)
        self.first = page.nextSeq
        return page
    }
}

/// Some items of a delta.
package struct DeltaPage {
    private let rows: Rows
    /// The number of items.
    package let count: Int
    /// The first seq of the next page; nil for the last page.
    let nextSeq: Int?

    /// The columns of `SyncSQL.page` after the item's columns: true if the history is the same, true if the row is
    /// within the limits.
    private static let (isSameColumn, isWithinColumn) = (DeltaItem.columnCount, DeltaItem.columnCount + 1)

    fileprivate init(_ rows: Rows, hasDocuments: Bool) throws {
        guard let first = rows.first, first.isTrue(Self.isSameColumn) else { throw DeltaBroken.anotherHistory }
        self.rows = rows
        let found = first.isNull(0) ? 0 : rows.count
        count = (0..<found).first { !rows[$0].isTrue(Self.isWithinColumn) } ?? found
        nextSeq = count < found ? try DeltaItem(row: rows[count]).seq() : nil
        guard hasDocuments else { return }
        for index in 0..<count where self[index].lacksDocument { throw DeltaBroken.documentPruned }
    }

    /// The item at `index`, below `count`.
    package subscript(index: Int) -> DeltaItem { DeltaItem(row: rows[index]) }

    /// The memory of the rows, in bytes.
    package var memoryBytes: Int { rows.memoryBytes }
}

/// The reason that the rest of a delta cannot be read.
package enum DeltaBroken: Error, CustomStringConvertible {
    /// The account's history is no longer the one of the delta.
    case anotherHistory
    /// A document was replaced since the delta was read, and its old version was pruned.
    case documentPruned

    /// Text for the log.
    package var description: String {
        switch self {
        case .anotherHistory: "the account has another history than when its changes began to be sent"
        case .documentPruned: "a document's history was cut while it was to be sent"
        }
    }
}

extension DeltaLimits {
    /// The memory of a page, in bytes, unless a document is larger than a page. libpq stores rows in blocks that may be
    /// half empty.
    var pageMemoryBytes: Int { pageBytes * 5 / 2 }
}
