import CPostgres

/// A connection that was made the blocking way, because libpq resolves names so, and that no thread uses yet.
///
/// `@unchecked Sendable`: handed from the thread that connected to the one loop that uses it.
struct ConnectedHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Connects and says `preparation`, statement by statement. Blocks; throws `.unavailable` with the reason.
    static func connect(_ connectionString: String, preparation: [String]) throws(DatabaseError) -> ConnectedHandle {
        let session = try BlockingSession(connectionString)
        for sql in preparation { try session.execute(sql) }
        return ConnectedHandle(pointer: session.release())
    }
}

/// A plain blocking connection: for start-up work and migrations, before any loop runs.
public final class BlockingSession {
    private(set) var handle: OpaquePointer?

    /// Connects to a libpq URI or conninfo string (several hosts allowed). Throws `.unavailable`.
    public init(_ connectionString: String) throws(DatabaseError) {
        // Earlier entries are defaults, which the connection string may override.
        // The name is no default: a restore finds running servers by it.
        handle = Self.connect([
            ("connect_timeout", "5"), ("tcp_user_timeout", "30000"), ("dbname", connectionString),
            ("application_name", "neuroviews-server"), ("client_encoding", "UTF8"),
        ])
        guard PQstatus(handle) == CONNECTION_OK else { throw .unavailable(errorMessage) }
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit { if let handle { PQfinish(handle) } }

    private static func connect(_ options: [(String, String)]) -> OpaquePointer? {
        let keywords = options.map { Array($0.0.utf8CString) }
        let values = options.map { Array($0.1.utf8CString) }
        return withPointers(keywords) { keywords in
            withPointers(values) { values in PQconnectdbParams(keywords, values, 1) }
        }
    }

    private static func withPointers<R>(
        _ strings: [[CChar]],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R
    ) -> R {
        // One arena for all strings keeps their addresses together for the one call.
        var offsets: [Int] = []
        var arena: [CChar] = []
        for string in strings {
            offsets.append(arena.count)
            arena.append(contentsOf: string)
        }
        return arena.withUnsafeBufferPointer { buffer in
            var pointers = offsets.map { buffer.baseAddress?.advanced(by: $0) }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { list in
                // The list has its end marker at least, so it has an address.
                body(list.baseAddress.unsafelyUnwrapped)
            }
        }
    }

    /// Says one or several statements. Throws `.refused` or `.connectionLost`.
    @discardableResult
    public func execute(_ sql: String) throws(DatabaseError) -> Rows {
        try check(PQexec(handle, sql))
    }

    /// Says one statement with text parameters.
    @discardableResult
    public func execute(_ sql: String, _ parameters: [String]) throws(DatabaseError) -> Rows {
        let values = parameters.map { Array($0.utf8CString) }
        return try check(
            Self.withPointers(values) { PQexecParams(handle, sql, Int32(parameters.count), nil, $0, nil, nil, 0) }
        )
    }

    func check(_ result: OpaquePointer?) throws(DatabaseError) -> Rows {
        guard let result else { throw .connectionLost(errorMessage) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return Rows(result)
        default:
            let refusal = ServerRefusal(result)
            PQclear(result)
            throw PQstatus(handle) == CONNECTION_BAD ? .connectionLost(errorMessage) : .refused(refusal)
        }
    }

    /// Gives the handle away; the session is over.
    func release() -> OpaquePointer {
        defer { handle = nil }
        // A session that connected has a handle, and gives it away once.
        return handle.unsafelyUnwrapped
    }

    var errorMessage: String {
        guard let handle, let text = PQerrorMessage(handle) else { return "out of memory" }
        // libpq's hints are lines of their own that begin with a tab.
        let lines = String(cString: text).split(separator: "\n").filter { !$0.hasPrefix("\t") }
        return lines.joined(separator: "; ")
    }
}
