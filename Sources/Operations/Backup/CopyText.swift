import Glibc
import Machine

/// Receives the rows that a `CopyText` finds.
protocol RowTaker {
    /// The next rows are of this table, with their values in the order of its columns.
    func begin(_ table: CopiedTable) throws
    /// Receives whole rows in PostgreSQL's text format.
    func take(_ rows: UnsafeRawBufferPointer) throws
    func end() throws
}

/// The table and columns of a COPY statement in a dump.
struct CopiedTable: Equatable {
    let name: String
    let columns: [String]

    /// Parses `COPY neuroviews.users (id, email) FROM stdin;`; nil for every other statement.
    init?(_ statement: String) {
        let (start, end) = ("COPY neuroviews.", ") FROM stdin;")
        guard statement.hasPrefix(start), statement.hasSuffix(end), let brace = statement.firstRange(of: " (") else {
            return nil
        }
        let list = statement[brace.upperBound...].dropLast(end.count)
        let names = [statement[..<brace.lowerBound].dropFirst(start.count)] + list.split(separator: ", ")
        let plain = names.map { name in
            name.count > 2 && name.first == "\"" && name.last == "\"" ? name.dropFirst().dropLast() : name
        }
        guard plain.count > 1, plain.allSatisfy(Self.isName) else { return nil }
        name = String(plain[0])
        columns = plain.dropFirst().map(String.init)
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == 0x5f || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }
    }
}

/// Finds the rows in the output of `pg_restore --data-only`: a COPY statement for each table, its rows, and a line
/// `\.`. Nothing of this script is executed. It only names the table and columns of the rows; anything else is
/// rejected.
struct CopyText {
    /// The limit of one row, which is PostgreSQL's limit of one value. Settings limit a document to a quarter of it.
    private static let lineBytesMax = 1 << 30
    private static let endOfRows = Array("\\.".utf8)
    /// Session settings, psql commands and comments.
    private static let harmless = [
        "--", "SET ", "SELECT pg_catalog.set_config('search_path', '', false);", "\\restrict ", "\\unrestrict ",
    ]

    private var pending: [UInt8] = []
    /// The number of bytes in `pending` that are known to have no line feed.
    private var searched = 0
    private var isInRows = false

    /// Reads the next bytes of the script.
    mutating func read(_ bytes: some Sequence<UInt8>, _ taker: some RowTaker) throws {
        pending.append(contentsOf: bytes)
        let done = try pending.withUnsafeBytes { try readLines($0, taker) }
        pending.removeFirst(done)
        searched = pending.count
        guard pending.count <= Self.lineBytesMax else { throw DumpContents.refusal("has a row of more than 1 GiB") }
    }

    /// Throws if the script is incomplete.
    func finish() throws(CommandFailure) {
        guard !isInRows, pending.isEmpty else { throw DumpContents.refusal("ends in the middle of a row") }
    }

    /// Reads the whole lines. Returns their size in bytes.
    private mutating func readLines(_ text: UnsafeRawBufferPointer, _ taker: some RowTaker) throws -> Int {
        var (start, rows) = (0, 0)
        while let end = Self.lineFeed(text, from: max(start, searched)) {
            let line = UnsafeRawBufferPointer(rebasing: text[start..<end])
            if !isInRows {
                try readStatement(line, taker)
                rows = end + 1
            } else if line.elementsEqual(Self.endOfRows) {
                try taker.take(UnsafeRawBufferPointer(rebasing: text[rows..<start]))
                try taker.end()
                isInRows = false
            }
            start = end + 1
        }
        if isInRows { try taker.take(UnsafeRawBufferPointer(rebasing: text[rows..<start])) }
        return start
    }

    private mutating func readStatement(_ line: UnsafeRawBufferPointer, _ taker: some RowTaker) throws {
        let statement = String(decoding: line, as: UTF8.self)
        if let table = CopiedTable(statement) {
            try taker.begin(table)
            isInRows = true
        } else if !statement.isEmpty, !Self.harmless.contains(where: statement.hasPrefix) {
            throw DumpContents.refusal("has something else than rows (\(statement.prefix(100)))")
        }
    }

    private static func lineFeed(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < text.count, let base = text.baseAddress else { return nil }
        return memchr(base + start, 0x0a, text.count - start).map { UnsafeRawPointer($0) - base }
    }
}
