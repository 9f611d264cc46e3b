import Postgres

/// How much of a delta is in memory at a time.
public struct DeltaLimits: Sendable {
    /// Items that come with the first statement or one page; a delta of more is read in pages.
    public var rows = 500
    /// Bytes of a document that comes with the first statement; a larger one is read in a page.
    public var documentBytes = 16 << 10
    /// What is kept of the first statement's result while pages are read, in bytes. Of a larger one everything is read in pages.
    public var keptBytes = 512 << 10
    /// Bytes of documents in one page. A document that is larger makes a page of its own.
    public var pageBytes = 256 << 10

    /// The defaults.
    public init() {}
}

/// What a delta holds, read again page by page from the state that it was made from. Nothing is held between two pages: no
/// connection, no transaction, no snapshot.
public struct DeltaPages {
    /// What to read of the items.
    public enum Kind: Sendable {
        /// The documents that did not come with the delta.
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
    /// The first seq that was not read yet; nil at the end.
    private var first: Int?
    private let last: Int

    /// Reads what did not come with the delta.
    public init(_ kind: Kind, of delta: Delta, _ reader: DeltaReader, _ caller: Caller) throws(UnexpectedResult) {
        self.reader = reader
        self.caller = caller
        self.delta = delta
        self.kind = kind
        let position = kind == .documents ? delta.documentCount : 0
        first = position < delta.rows.count - 1 && delta.count > 0 ? try delta[position].seq() : nil
        last = delta.hasMore ? try delta[delta.count - 1].seq() : delta.head.seq
    }

    /// The next page; nil at the end. Throws when the state can't be read any more: the session has ended, the history is another one, or
    /// has lost a document of that state.
    public mutating func next() async throws -> DeltaPage? {
        guard let first else { return nil }
        let step = reader.sql.page(
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
        let page = try DeltaPage(await reader.database.readRows(for: caller, step), hasDocuments: kind == .documents)
        self.first = page.nextSeq
        return page
    }
}

/// Some items of a delta.
public struct DeltaPage {
    private let rows: Rows
    /// How many there are.
    public let count: Int
    /// Where the next page begins; nil when this is the last.
    let nextSeq: Int?

    /// The columns of `SyncSQL.page` behind the item's: whether the history is still the same, whether it is within the page's limits.
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
    public subscript(index: Int) -> DeltaItem { DeltaItem(row: rows[index]) }

    /// What it takes in memory, in bytes.
    public var memoryBytes: Int { rows.memoryBytes }
}

/// Why the rest of a delta can't be read.
public enum DeltaBroken: Error, CustomStringConvertible {
    /// The history that the delta began with is not this one any more.
    case anotherHistory
    /// A document has been replaced since the delta began, and its history was cut.
    case documentPruned

    /// For the log.
    public var description: String {
        switch self {
        case .anotherHistory: "the account has another history than when its changes began to be sent"
        case .documentPruned: "a document's history was cut while it was to be sent"
        }
    }
}

extension DeltaLimits {
    /// What a page takes in memory, in bytes, unless a document is larger than a page: libpq keeps rows in blocks that may be half empty.
    var pageMemoryBytes: Int { pageBytes * 5 / 2 }
}
