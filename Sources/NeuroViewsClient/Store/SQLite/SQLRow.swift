import CNeuroViewsSQLite

/// The row at which a statement is: good until the statement goes on. Columns are counted from 0.
struct SQLRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// The integer; nil for NULL.
    func integer(_ column: Int32) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(statement, column) }

    /// True for an integer other than 0.
    func bool(_ column: Int32) -> Bool { integer(column) ?? 0 != 0 }

    /// The text; nil for NULL.
    func text(_ column: Int32) -> String? { blob(column).map { String(decoding: $0, as: UTF8.self) } }

    /// The bytes; nil for NULL.
    func blob(_ column: Int32) -> [UInt8]? {
        if isNull(column) { return nil }
        let count = sqlite3_column_bytes(statement, column)
        // Filling an empty array writes to the one that all threads share.
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            nv_sqlite_copy_column(statement, column, buffer.baseAddress, count)
            filled = Int(count)
        }
    }

    private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
