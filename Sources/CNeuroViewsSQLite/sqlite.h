#pragma once
#include <errno.h>
#include <sqlite3.h>
#include <string.h>

// SQLITE_TRANSIENT is a macro with a cast: SQLite copies the bytes during the call.
static inline int nv_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *bytes, int count) {
    return sqlite3_bind_text(statement, place, bytes, count, SQLITE_TRANSIENT);
}
// A null pointer would bind NULL instead of no bytes.
static inline int nv_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, place, count ? bytes : "", count, SQLITE_TRANSIENT);
}
/// Copies the bytes of a column, whose count sqlite3_column_bytes returns.
static inline void nv_sqlite_copy_column(sqlite3_stmt *statement, int column, void *buffer, int count) {
    const void *bytes = sqlite3_column_blob(statement, column);
    if (bytes && count > 0) memcpy(buffer, bytes, (size_t)count);
}
// The options of a connection are a variadic function, which Swift can't call.
/// With 1, closing the connection leaves the files as they are.
static inline void nv_sqlite_keep_files_at_close(sqlite3 *database, int keeps) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
/// True if the last failure was for want of room.
static inline int nv_sqlite_is_disk_full(sqlite3 *database) {
    int code = sqlite3_system_errno(database);
    return code == ENOSPC || code == EDQUOT || sqlite3_extended_errcode(database) == SQLITE_IOERR_SHMSIZE;
}
/// True if the last failure was for want of rights, or on a read-only disk.
static inline int nv_sqlite_is_refused(sqlite3 *database) {
    int code = sqlite3_system_errno(database);
    return code == EACCES || code == EPERM || code == EROFS;
}
