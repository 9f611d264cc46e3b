// SQLite's functions and those of Sources/CNeuroViewsSQLite, as Swift imports them, for `apple-check`: their shapes only. Clang's importer needs the
// headers of Apple's SDK for an Apple system. From https://sqlite.org/c3ref/funclist.html
// swift-format-ignore-file

public let SQLITE_OK: Int32 = 0, SQLITE_PERM: Int32 = 3, SQLITE_BUSY: Int32 = 5, SQLITE_LOCKED: Int32 = 6, SQLITE_READONLY: Int32 = 8, SQLITE_IOERR: Int32 = 10
public let SQLITE_CORRUPT: Int32 = 11, SQLITE_FULL: Int32 = 13, SQLITE_CANTOPEN: Int32 = 14, SQLITE_TOOBIG: Int32 = 18, SQLITE_NOTADB: Int32 = 26
public let SQLITE_ROW: Int32 = 100, SQLITE_DONE: Int32 = 101, SQLITE_NULL: Int32 = 5
public let SQLITE_OPEN_READWRITE: Int32 = 2, SQLITE_OPEN_NOMUTEX: Int32 = 0x8000, SQLITE_FCNTL_HAS_MOVED: Int32 = 20

public func sqlite3_open_v2(_ path: UnsafePointer<CChar>!, _ database: UnsafeMutablePointer<OpaquePointer?>!, _ flags: Int32, _ vfs: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func sqlite3_close_v2(_ database: OpaquePointer!) -> Int32 { 0 }
@discardableResult public func sqlite3_extended_result_codes(_ database: OpaquePointer!, _ on: Int32) -> Int32 { 0 }
@discardableResult public func sqlite3_busy_timeout(_ database: OpaquePointer!, _ ms: Int32) -> Int32 { 0 }
public func sqlite3_file_control(_ database: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ operation: Int32, _ argument: UnsafeMutableRawPointer!) -> Int32 { 0 }
public func sqlite3_get_autocommit(_ database: OpaquePointer!) -> Int32 { 0 }
public func sqlite3_changes64(_ database: OpaquePointer!) -> Int64 { 0 }
public func sqlite3_last_insert_rowid(_ database: OpaquePointer!) -> Int64 { 0 }
public func sqlite3_errmsg(_ database: OpaquePointer!) -> UnsafePointer<CChar>! { nil }
public func sqlite3_prepare_v2(_ database: OpaquePointer!, _ sql: UnsafePointer<CChar>!, _ count: Int32, _ statement: UnsafeMutablePointer<OpaquePointer?>!, _ rest: UnsafeMutablePointer<UnsafePointer<CChar>?>!) -> Int32 { 0 }
@discardableResult public func sqlite3_finalize(_ statement: OpaquePointer!) -> Int32 { 0 }
public func sqlite3_step(_ statement: OpaquePointer!) -> Int32 { 0 }
@discardableResult public func sqlite3_reset(_ statement: OpaquePointer!) -> Int32 { 0 }
@discardableResult public func sqlite3_clear_bindings(_ statement: OpaquePointer!) -> Int32 { 0 }
public func sqlite3_bind_null(_ statement: OpaquePointer!, _ place: Int32) -> Int32 { 0 }
public func sqlite3_bind_int64(_ statement: OpaquePointer!, _ place: Int32, _ value: Int64) -> Int32 { 0 }
public func sqlite3_column_int64(_ statement: OpaquePointer!, _ column: Int32) -> Int64 { 0 }
public func sqlite3_column_bytes(_ statement: OpaquePointer!, _ column: Int32) -> Int32 { 0 }
public func sqlite3_column_type(_ statement: OpaquePointer!, _ column: Int32) -> Int32 { 0 }

public func nv_sqlite_bind_text(_ statement: OpaquePointer!, _ place: Int32, _ bytes: UnsafePointer<CChar>!, _ count: Int32) -> Int32 { 0 }
public func nv_sqlite_bind_blob(_ statement: OpaquePointer!, _ place: Int32, _ bytes: UnsafeRawPointer!, _ count: Int32) -> Int32 { 0 }
public func nv_sqlite_copy_column(_ statement: OpaquePointer!, _ column: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int32) {}
public func nv_sqlite_keep_files_at_close(_ database: OpaquePointer!, _ keeps: Int32) {}
public func nv_sqlite_is_disk_full(_ database: OpaquePointer!) -> Int32 { 0 }
public func nv_sqlite_is_refused(_ database: OpaquePointer!) -> Int32 { 0 }
