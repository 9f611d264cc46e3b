import CPostgres

extension BlockingSession {
    /// Begins a `COPY … FROM STDIN`: `writeCopy` takes its rows in pieces of any size, `endCopy` stores them.
    public func beginCopy(_ sql: String) throws(DatabaseError) {
        let result = PQexec(handle, sql)
        guard PQresultStatus(result) == PGRES_COPY_IN else {
            _ = try check(result)
            throw .connectionLost("the statement is no COPY")
        }
        PQclear(result)
    }

    /// Throws the server's refusal as soon as it is known.
    public func writeCopy(_ bytes: UnsafeRawBufferPointer) throws(DatabaseError) {
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        guard bytes.count > 0, PQputCopyData(handle, start, Int32(bytes.count)) != 1 else { return }
        _ = try check(PQgetResult(handle))
        throw .connectionLost(errorMessage)
    }

    /// Throws when a row was refused. The session can go on only when it doesn't.
    public func endCopy() throws(DatabaseError) {
        guard PQputCopyEnd(handle, nil) == 1 else { throw .connectionLost(errorMessage) }
        _ = try check(PQgetResult(handle))
        while let rest = PQgetResult(handle) { PQclear(rest) }
    }
}
