import CPostgres
import Glibc
import Net

/// How one attempt to connect ended.
enum ConnectionAttempt {
    case connected(OpaquePointer)
    case failed(DatabaseError)
    /// Nothing came within the limit.
    case silent(DatabaseError)

    /// What waiting does not change: a wrong password, a login that `pg_hba.conf` or the catalogue refuses, no such database.
    private static let finalStates: Set<String> = ["28P01", "28000", "3D000"]

    /// Connects with libpq's options, of which later ones win. Blocks.
    static func run(_ options: [(String, String)], limitMs: UInt64) -> ConnectionAttempt {
        guard let handle = start(options) else { return .failed(.unavailable("out of memory")) }
        // The message then has the SQLSTATE, which libpq gives nowhere else.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        // Before the connection: PostgreSQL warns of a changed collation while it is made, and libpq would write that to
        // standard error.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        let attempt = finish(handle, limitMs: limitMs)
        guard case .connected = attempt else {
            PQfinish(handle)
            return attempt
        }
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        return attempt
    }

    func get() throws(DatabaseError) -> OpaquePointer {
        switch self {
        case .connected(let handle): return handle
        case .failed(let error), .silent(let error): throw error
        }
    }

    private static func start(_ options: [(String, String)]) -> OpaquePointer? {
        let keywords = options.map { Array($0.0.utf8CString) }
        let values = options.map { Array($0.1.utf8CString) }
        return CStrings.withPointers(keywords) { keywords in
            CStrings.withPointers(values) { values in PQconnectStartParams(keywords, values, 1) }
        }
    }

    private static func finish(_ handle: OpaquePointer, limitMs: UInt64) -> ConnectionAttempt {
        let deadlineMs = Monotonic.nowMs() + limitMs
        var awaited = PGRES_POLLING_WRITING
        while PQstatus(handle) != CONNECTION_BAD {
            guard SocketWait.wait(PQsocket(handle), awaited == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadlineMs)
            else { return .silent(.unavailable("\(name(of: handle)) did not answer within \(limitMs) ms")) }
            awaited = PQconnectPoll(handle)
            if awaited == PGRES_POLLING_OK { return .connected(handle) }
        }
        return .failed(failure(BlockingSession.message(of: handle)))
    }

    /// libpq writes `FATAL:  28P01: password authentication failed …`.
    static func failure(_ message: String) -> DatabaseError {
        let state = message.firstMatch(of: #/:  ([0-9A-Z]{5}): /#).map { String($0.1) }
        return state.map(finalStates.contains) == true ? .unusable(.login(message)) : .unavailable(message)
    }

    private static func name(of handle: OpaquePointer) -> String {
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        let (host, address) = (text(PQhost(handle)), text(PQhostaddr(handle)))
        return host == address || address.isEmpty ? host : "\(host) (\(address))"
    }
}

/// Waiting for a socket on a thread that may block.
enum SocketWait {
    /// False when nothing came before the deadline.
    static func wait(_ descriptor: Int32, _ events: Int32, _ deadlineMs: UInt64) -> Bool {
        while true {
            let nowMs = Monotonic.nowMs()
            guard nowMs < deadlineMs else { return false }
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if poll(&entry, 1, Int32(clamping: deadlineMs - nowMs)) > 0 { return true }
        }
    }
}

/// Lists of texts as C takes them.
enum CStrings {
    /// Calls `body` with the addresses of the texts and a null pointer behind them.
    static func withPointers<R>(
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
}
