import Postgres

/// Reads an account page by page: each is a short transaction of its own, so that a slow client holds neither a connection nor a snapshot.
public struct ExportReader: Sendable {
    private let database: CallerDatabase
    private let caller: Caller
    private static let rowsMax = 500
    private static let bytesMax = 256 << 10

    /// What a page takes in memory, in bytes, unless a document is larger than a page: an item comes with its first version, and libpq keeps
    /// rows in blocks that may be half empty.
    public static let pageMemoryBytes = 5 * bytesMax

    init(_ database: CallerDatabase, _ caller: Caller) {
        self.database = database
        self.caller = caller
    }

    /// Calls `body` with every page of a section. Throws when the session ends meanwhile.
    public func forEachPage(of section: ExportSection, _ body: (ExportPage) async throws -> Void) async throws {
        var from: [Parameter]? = section.beginning
        while let key = from {
            let limits: [Parameter] = [.text(caller.userID), .int(Self.rowsMax), .int(Self.bytesMax)]
            let page = ExportPage(try await database.readRows(for: caller, section.statement(limits + key)))
            from = page.next(section.keys.count)
            try await body(page)
        }
    }
}

/// Some rows of a section.
public struct ExportPage: Sendable {
    /// The columns of a section's statement. Those of the key come first, behind whether the row is within the page.
    private enum Column {
        static let key = 1
        static let json = key + keysMax
        static let itemID = json + 1
        static let item = itemID + 1
        static let file = item + 1
    }

    /// Columns that a key may have.
    static let keysMax = 3

    private let rows: Rows
    /// How many there are.
    public let count: Int

    init(_ rows: Rows) {
        self.rows = rows
        count = (0..<rows.count).first { !rows[$0].isTrue(0) } ?? rows.count
    }

    /// What it takes in memory, in bytes.
    public var memoryBytes: Int { rows.memoryBytes }

    /// Where the next page begins; nil behind the last one.
    fileprivate func next(_ keys: Int) -> [Parameter]? {
        guard count < rows.count else { return nil }
        return (0..<keys).map { .text(rows[count].text(Column.key + $0)) }
    }

    /// A row's JSON text, at an index below `count`.
    public func json(_ index: Int) -> ExportText { ExportText(row: rows[index], column: Column.json) }

    /// The id of the item that the row belongs to.
    public func itemID(_ index: Int) -> String? { rows[index].text(Column.itemID) }

    /// The item, with the first of its rows.
    public func item(_ index: Int) -> ExportText? {
        rows[index].isNull(Column.item) ? nil : ExportText(row: rows[index], column: Column.item)
    }

    /// The file of a recording, with the first of its rows; nil for one that was deleted.
    public func file(_ index: Int) throws -> ExportedFile? {
        guard item(index) != nil, !rows[index].isNull(Column.file) else { return nil }
        var columns = Columns(rows[index], from: Column.file)
        return try ExportedFile(&columns)
    }
}

/// JSON text where libpq keeps it.
public struct ExportText {
    fileprivate let row: Row
    fileprivate let column: Int

    /// How many bytes it has.
    public var bytes: Int { row.byteCount(column) }

    /// Appends a part of it.
    public func append(_ range: Range<Int>, to buffer: inout [UInt8]) { row.append(column, range, to: &buffer) }
}
