import Postgres

/// Reads an account page by page. Each page is a short transaction, so a slow client occupies neither a connection nor
/// a snapshot.
package struct ExportReader: Sendable {
    private let database: CallerDatabase
    private let caller: Caller
    private static let rowsMax = 500
    private static let bytesMax = 256 << 10

    /// The memory of a page in bytes, unless a single document is larger. A page may have an item besides its first
    /// version, and libpq stores rows in blocks that may be half empty.
    package static let pageMemoryBytes = 5 * bytesMax

    init(_ database: CallerDatabase, _ caller: Caller) {
        self.database = database
        self.caller = caller
    }

    /// Calls `body` for every page of a section. Throws if the session ends meanwhile.
    package func forEachPage(of section: ExportSection, _ body: (ExportPage) async throws -> Void) async throws {
        var from: [Parameter]? = section.beginning
        while let key = from {
            let limits: [Parameter] = [.text(caller.userID), .int(Self.rowsMax), .int(Self.bytesMax)]
            let page = ExportPage(try await database.readRows(for: caller, on: .large, section.statement(limits + key)))
            from = page.next(section.keys.count)
            try await body(page)
        }
    }
}

/// Some rows of a section.
package struct ExportPage: Sendable {
    /// The columns of a section's statement. Column 0 is true for rows within the page; then follow the key's columns.
    private enum Column {
        static let key = 1
        static let json = key + keysMax
        static let itemID = json + 1
        static let item = itemID + 1
        static let file = item + 1
    }

    /// Limit of a key's columns.
    static let keysMax = 4

    private let rows: Rows
    /// The number of rows.
    package let count: Int

    init(_ rows: Rows) {
        self.rows = rows
        count = (0..<rows.count).first { !rows[$0].isTrue(0) } ?? rows.count
    }

    /// The memory of the page, in bytes.
    package var memoryBytes: Int { rows.memoryBytes }

    /// The first key of the next page; nil after the last one.
    fileprivate func next(_ keys: Int) -> [Parameter]? {
        guard count < rows.count else { return nil }
        return (0..<keys).map { .text(rows[count].text(Column.key + $0)) }
    }

    /// The JSON text of a row; `index` is below `count`.
    package func json(_ index: Int) -> ExportText { ExportText(row: rows[index], column: Column.json) }

    /// The id of the row's item.
    package func itemID(_ index: Int) -> String? { rows[index].text(Column.itemID) }

    /// The row's item, if this is the item's first row.
    package func item(_ index: Int) -> ExportText? {
        rows[index].isNull(Column.item) ? nil : ExportText(row: rows[index], column: Column.item)
    }

    /// The file of a recording, if this is its first row; nil for a deleted recording.
    package func file(_ index: Int) throws -> ExportedFile? {
        guard item(index) != nil, !rows[index].isNull(Column.file) else { return nil }
        var columns = Columns(rows[index], from: Column.file)
        return try ExportedFile(&columns)
    }
}

/// JSON text in libpq's memory.
package struct ExportText {
    fileprivate let row: Row
    fileprivate let column: Int

    /// The number of bytes.
    package var bytes: Int { row.byteCount(column) }

    /// Appends a part of it.
    package func append(_ range: Range<Int>, to buffer: inout [UInt8]) { row.append(column, range, to: &buffer) }
}
