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

    private let service: ConfigurationService
    private let caller: Caller
    private let delta: Delta
    private let kind: Kind
    /// The first changed_at that was not read yet; nil at the end.
    private var first: String?

    init(_ kind: Kind, of delta: Delta, _ service: ConfigurationService, _ caller: Caller) {
        self.service = service
        self.caller = caller.withoutNonce
        self.delta = delta
        self.kind = kind
        let position = kind == .documents ? delta.documentCount : 0
        first = position < delta.rows.count && delta.count > 0 ? delta.changedAt(position) : nil
    }

    /// The next page; nil at the end. Throws when the state can't be read any more: the session has ended, the counting began
    /// anew, or the history has lost a document of that state.
    public mutating func next() async throws -> DeltaPage? {
        guard let first else { return nil }
        let step = ConfigurationSQL.page(
            .text(delta.head.epoch),
            .int(delta.head.seq),
            .text(delta.exactTime),
            .text(first),
            .text(delta.lastChangedAt),
            .int(service.deltaLimits.rows),
            .int(service.deltaLimits.pageBytes),
            kind.deleted
        )
        let results = try await CloudSync.database { [caller, service] () throws(DatabaseError) in
            try await service.database.read(caller.enter, step, record: caller.record)
        }
        let page = try DeltaPage(results[1], hasDocuments: kind == .documents)
        self.first = page.nextChangedAt
        return page
    }
}

/// Some items of a delta.
public struct DeltaPage {
    private let rows: Rows
    /// How many there are.
    public let count: Int
    /// Where the next page begins; nil when this is the last.
    let nextChangedAt: String?

    private static let firstItemColumn = 1
    private static let isWithinColumn = 5

    fileprivate init(_ rows: Rows, hasDocuments: Bool) throws(DeltaBroken) {
        guard let first = rows.first, first.bool(0) == true else { throw .countedAnew }
        self.rows = rows
        let found = first.isNull(Self.firstItemColumn) ? 0 : rows.count
        count = (0..<found).first { rows[$0].bool(Self.isWithinColumn) != true } ?? found
        nextChangedAt =
            count < found ? DeltaItem(row: rows[count], firstColumn: Self.firstItemColumn).changedAt : nil
        guard hasDocuments else { return }
        for index in 0..<count where self[index].lacksDocument { throw .documentPruned }
    }

    /// The item at `index`, below `count`.
    public subscript(index: Int) -> DeltaItem { DeltaItem(row: rows[index], firstColumn: Self.firstItemColumn) }

    /// What it takes in memory, in bytes.
    public var memoryBytes: Int { rows.memoryBytes }
}

/// Why the rest of a delta can't be read.
public enum DeltaBroken: Error, CustomStringConvertible {
    /// The account's epoch has changed since the delta began.
    case countedAnew
    /// A document has been replaced since the delta began, and its history was cut.
    case documentPruned

    /// For the log.
    public var description: String {
        switch self {
        case .countedAnew: "the account's epoch changed while its changes were sent"
        case .documentPruned: "a document's history was cut while it was to be sent"
        }
    }
}

extension ConfigurationService {
    /// What a page takes in memory, in bytes, unless a document is larger than a page: libpq keeps rows in blocks that may be
    /// half empty.
    public var pageMemoryBytes: Int { deltaLimits.pageBytes * 5 / 2 }

    /// Reads what did not come with the delta.
    public func pages(_ kind: DeltaPages.Kind, of delta: Delta, for caller: Caller) -> DeltaPages {
        DeltaPages(kind, of: delta, self, caller)
    }
}

extension Delta {
    /// The head's changed_at, as PostgreSQL reads it back.
    fileprivate var exactTime: String { rows[0].text(4) ?? "" }

    /// The changed_at of the last item, or a later one up to the head's.
    fileprivate var lastChangedAt: String { hasMore ? changedAt(count - 1) : exactTime }

    fileprivate func changedAt(_ index: Int) -> String {
        DeltaItem(row: rows[index], firstColumn: Self.firstItemColumn).changedAt
    }
}
