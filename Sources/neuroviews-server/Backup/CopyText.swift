import Glibc

/// Takes the rows that a `CopyText` has found.
protocol RowTaker {
    /// The rows that follow are of this table, with their values in the order of these columns.
    func begin(_ table: CopiedTable) throws
    /// Whole rows in PostgreSQL's text format.
    func take(_ rows: UnsafeRawBufferPointer) throws
    func end() throws
}

/// What a COPY statement of a dump names.
struct CopiedTable: Equatable {
    let name: String
    let columns: [String]

    /// `COPY neuroviews.users (id, email) FROM stdin;`; nil for every other statement.
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

/// Finds the rows in what `pg_restore --data-only` prints: a script with a COPY statement for each table, its rows, and a line `\.`. Nothing of the
/// script is executed. It says which table and columns the rows are of; anything else than rows is refused.
struct CopyText {
    /// One row. What PostgreSQL takes as one value has fewer bytes than this, and what settings allow as a document a quarter of them.
    private static let lineBytesMax = 1 << 30
    private static let endOfRows = Array("\\.".utf8)
    /// Settings of psql and of the session, and comments.
    private static let harmless = [
        "--", "SET ", "SELECT pg_catalog.set_config('search_path', '', false);", "\\restrict ", "\\unrestrict ",
    ]

    private var pending: [UInt8] = []
    /// How many of them are known to hold no line feed.
    private var searched = 0
    private var isInRows = false

    /// Takes the next bytes of the script.
    mutating func read(_ bytes: some Sequence<UInt8>, _ taker: some RowTaker) throws {
        pending.append(contentsOf: bytes)
        let done = try pending.withUnsafeBytes { try readLines($0, taker) }
        pending.removeFirst(done)
        searched = pending.count
        guard pending.count <= Self.lineBytesMax else { throw DumpContents.refusal("has a row of more than 1 GiB") }
    }

    /// Throws when something is missing.
    func finish() throws(CommandFailure) {
        guard !isInRows, pending.isEmpty else { throw DumpContents.refusal("ends in the middle of a row") }
    }

    /// The whole lines. Returns how many bytes they have.
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
