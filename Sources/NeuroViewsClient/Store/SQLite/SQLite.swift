import CNeuroViewsSQLite

/// A connection to a database file that exists. Other processes, and other objects of this one, may have their own.
final class SQLite {
    /// A step of another process takes less than a second.
    private static let busyMs: Int32 = 10_000
    private static let statementsMax = 100

    /// The file.
    let path: String
    private let handle: OpaquePointer
    private var statements: [String: SQLStatement] = [:]

    /// Opens the file.
    init(_ path: String) throws(ClientError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw ClientError(sqlite: code, handle, path)
        }
        (self.path, self.handle) = (path, handle)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.busyMs)
    }

    /// The last connection puts the log into the file and removes the log, by its path: not if others have the path now.
    deinit {
        nv_sqlite_keep_files_at_close(handle, isInOrder && !hasMoved ? 0 : 1)
        sqlite3_close_v2(handle)
    }

    /// True if closing may write to the file. A newer or damaged one stays as it is.
    var isInOrder = false

    /// True if the path leads to another file now, or to none.
    var hasMoved: Bool {
        var answer: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
        return code == SQLITE_OK && answer != 0
    }

    /// True between BEGIN and COMMIT or ROLLBACK. Some failures end a transaction.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The rows that the last statement inserted, changed or deleted.
    var changedRows: Int { Int(sqlite3_changes64(handle)) }

    /// The rowid of the last row that was inserted.
    var insertedID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs a statement, and drops its rows.
    func run(_ sql: String, _ values: [SQLValue] = []) throws(ClientError) {
        _ = try rows(sql, values) { _ in Never?.none }
    }

    /// Runs a statement and reads its rows, at most so many. Nil skips one. `read` must run no statement.
    func rows<T>(
        _ sql: String,
        _ values: [SQLValue] = [],
        atMost limit: Int = .max,
        _ read: (SQLRow) throws(ClientError) -> T?
    ) throws(ClientError) -> [T] {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try check(statement.bind(values), SQLITE_OK)
        var found: [T] = []
        while found.count < limit {
            let code = statement.step()
            if code == SQLITE_DONE { break }
            try check(code, SQLITE_ROW)
            if let value = try read(statement.row) { found.append(value) }
        }
        return found
    }

    private func prepared(_ sql: String) throws(ClientError) -> SQLStatement {
        if let statement = statements[sql] { return statement }
        var handle: OpaquePointer?
        try check(sqlite3_prepare_v2(self.handle, sql, -1, &handle, nil), SQLITE_OK)
        guard let handle else { throw .store(.other("an empty statement")) }
        if statements.count >= Self.statementsMax { statements.removeAll() }
        let statement = SQLStatement(handle)
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32, _ expected: Int32) throws(ClientError) {
        if code != expected { throw ClientError(sqlite: code, handle, path) }
    }
}

extension ClientError {
    /// The failure of the last call.
    fileprivate init(sqlite code: Int32, _ database: OpaquePointer?, _ path: String) {
        let reason = String(cString: sqlite3_errmsg(database))
        switch code & 0xFF {
        case SQLITE_FULL: self = .store(.full)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            let isRefused = nv_sqlite_is_refused(database) != 0
            let isFull = nv_sqlite_is_disk_full(database) != 0
            self = .store(isFull ? .full : isRefused ? .readOnly(path) : .other(reason))
        case SQLITE_READONLY, SQLITE_PERM: self = .store(.readOnly(path))
        case SQLITE_BUSY, SQLITE_LOCKED: self = .store(.busy)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .store(.damaged(reason))
        case SQLITE_TOOBIG: self = .store(.unstorable(reason))
        default: self = .store(.other(reason))
        }
    }
}
