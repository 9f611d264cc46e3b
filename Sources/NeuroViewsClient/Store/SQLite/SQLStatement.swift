import CNeuroViewsSQLite

/// A compiled statement, for any number of uses one after the other.
final class SQLStatement {
    private let handle: OpaquePointer

    /// Takes the statement over.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// The current row.
    var row: SQLRow { SQLRow(handle) }

    /// Sets the parameters ?1, ?2 and so on. Returns SQLite's code.
    func bind(_ values: [SQLValue]) -> Int32 {
        for (place, value) in values.enumerated() {
            let code = bind(value, at: Int32(place) + 1)
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    /// Goes to the next row, or to the end. Returns SQLite's code.
    func step() -> Int32 { sqlite3_step(handle) }

    /// Ends this use, and drops the values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, place)
        case .integer(let integer): return sqlite3_bind_int64(handle, place, integer)
        case .text(let text):
            guard let count = Int32(exactly: text.utf8.count) else { return SQLITE_TOOBIG }
            return nv_sqlite_bind_text(handle, place, text, count)
        case .blob(let bytes):
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return nv_sqlite_bind_blob(handle, place, bytes, count)
        }
    }
}
