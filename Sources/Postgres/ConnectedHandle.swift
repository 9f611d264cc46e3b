import CPostgres

/// A connection that no thread uses yet. It was made on a blocking thread, since libpq blocks to resolve names.
///
/// `@unchecked Sendable`: handed from the thread that connected to the one loop that uses it.
struct ConnectedHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The result of the last statement of the preparation: see `check_lineage`.
    let lineageChange: String?

    /// Connects and runs `preparation`, statement by statement. Blocks; throws `.unavailable` with the reason, or `.unusable`.
    static func connect(_ connectionString: String, preparation: [String]) throws(DatabaseError) -> ConnectedHandle {
        let session = try BlockingSession(connectionString)
        var last: Rows?
        for sql in preparation { last = try session.execute(sql) }
        return ConnectedHandle(pointer: session.release(), lineageChange: last?.first?.text(0))
    }
}

/// A plain blocking connection: for start-up work and migrations, before any loop runs.
public final class BlockingSession {
    private(set) var handle: OpaquePointer?

    /// Connects to a libpq URI or conninfo string (several hosts allowed). Throws `.unavailable`, or `.unusable` if waiting does not help.
    public init(_ connectionString: String) throws(DatabaseError) {
        let route = HostRoute(connectionString)
        let connected = try route.connect()
        handle = connected
        // Must be first: a pooler could pass the effect of other statements on to other clients.
        try PoolerCheck.run(connected, limitMs: route.limitMs) { () throws(DatabaseError) in try route.connect() }
        try useOwnSettings()
    }

    deinit { if let handle { PQfinish(handle) } }

    /// Runs one or several statements. Throws `.refused` or `.connectionLost`.
    @discardableResult
    public func execute(_ sql: String) throws(DatabaseError) -> Rows {
        try check(PQexec(handle, sql))
    }

    /// Runs one statement with text parameters.
    @discardableResult
    public func execute(_ sql: String, _ parameters: [String]) throws(DatabaseError) -> Rows {
        let values = parameters.map { Array($0.utf8CString) }
        return try check(
            CStrings.withPointers(values) { PQexecParams(handle, sql, Int32(parameters.count), nil, $0, nil, nil, 0) }
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

    var errorMessage: String { Self.message(of: handle) }

    /// What libpq says, in one line.
    static func message(of handle: OpaquePointer?) -> String {
        guard let handle, let text = PQerrorMessage(handle) else { return "out of memory" }
        // libpq's hints are lines of their own that begin with a tab; the place in PostgreSQL's source says nothing to an operator.
        let lines = String(cString: text).split(separator: "\n").filter {
            !$0.hasPrefix("\t") && !$0.hasPrefix("LOCATION:  ")
        }
        return lines.joined(separator: "; ")
    }
}
